// steam: expect=use-after-free
/* A mutex is freed when another thread stands before its lock. */
#include <pthread.h>
#include <stdlib.h>

static volatile int done;

static void *use(void *mutex)
{
    if (!done)
        pthread_mutex_lock(mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_create(&thread, NULL, use, mutex);
    done = 1;
    free(mutex);
    pthread_join(thread, NULL);
    return 0;
}
