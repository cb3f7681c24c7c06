// race: heap block of heap_large_racy.c:18 10 21
/* A thread reads a large block while another one writes it. */
#include <pthread.h>
#include <stdlib.h>

static char *block;

static void *work(void *unused)
{
    volatile char found = block[5];
    (void)found;
    return unused;
}

int main(void)
{
    pthread_t thread;
    block = malloc(20000000);
    char *mine = block;
    pthread_create(&thread, NULL, work, NULL);
    mine[5] = 1;
    pthread_join(thread, NULL);
    free(mine);
    return 0;
}
