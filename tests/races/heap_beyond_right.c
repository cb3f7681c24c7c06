// no race
/* Blocks that fit into no heap of a thread's own come from a common one: who is given which bytes depends on the
   order, and is no race. */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused)
{
    char *volatile block = calloc(17, 1 << 20);
    block[5] = 1;
    free(block);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
