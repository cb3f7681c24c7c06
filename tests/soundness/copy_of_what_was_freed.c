// steam: expect=use-after-free
/* A block of the heap is freed by a thread, before its process is copied or after. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int *block;

static void *frees(void *unused)
{
    free(block);
    return unused;
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof *block);
    *block = 1;
    pthread_create(&thread, 0, frees, 0);
    if (fork() == 0)
        _exit(*block); /* ERROR */
    pthread_join(thread, 0);
    return 0;
}
