// race: progress 10 18
/* A thread's own variable is no longer its own once another thread has its address. */
#include <pthread.h>
#include <stdio.h>

static __thread int progress;

static void *watch(void *address)
{
    printf("%d\n", *(int *)address >= 0);
    return NULL;
}

int main(void)
{
    pthread_t watcher;
    pthread_create(&watcher, NULL, watch, &progress);
    progress = 50;
    pthread_join(watcher, NULL);
    progress = 100;
    return 0;
}
