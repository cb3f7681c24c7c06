// steam: expect=use-after-free
/* A mutex is freed between its lock and its unlock. */
#include <pthread.h>
#include <stdlib.h>

static volatile int done;

static void *use(void *mutex)
{
    pthread_mutex_lock(mutex);
    done = 1;
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_create(&thread, NULL, use, mutex);
    if (done)
        free(mutex);
    pthread_join(thread, NULL);
    return 0;
}
