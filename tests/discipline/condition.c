// lacks nothing
/* Handed over under a lock, with a condition variable. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int ready, x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *first(void *argument)
{
    pthread_mutex_lock(&m);
    x = 3;
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return argument;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    x++;
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);

    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
