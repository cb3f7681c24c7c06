// no race
/* Threads allocate and free blocks that are larger than the first piece of their heaps: which bytes they are given is
   the library's own affair. */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused)
{
    char *volatile block = malloc(200000);
    block[5] = 1;
    block = realloc(block, 300000);
    block[299999] = block[5];
    free(block);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    char *own = malloc(100);
    own[0] = 1;
    free(own);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
