/* THREADS threads that do nothing: all are created, then all are joined. */
#include <limits.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 500
#endif

static pthread_t threads[THREADS];

static void *nothing(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], &small, nothing, NULL) != 0)
            return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
