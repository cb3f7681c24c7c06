// steam: expect=use-after-free
// race: heap block of freed_by_other_racy.c:16 9 19
/* One thread frees the block that the other one still reads. */
#include <pthread.h>
#include <stdlib.h>

static void *drop(void *block)
{
    free(block);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int *block = malloc(64);
    block[8] = 3;
    pthread_create(&thread, NULL, drop, block);
    volatile int seen = block[8];
    pthread_join(thread, NULL);
    return seen == 4;
}
