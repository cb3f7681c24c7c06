// lacks: limit
/* Written by main when the threads are there already. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int limit;
int one, other;

static void *first(void *argument)
{
    one = limit;
    return argument;
}

static void *second(void *argument)
{
    other = limit;
    return argument;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    limit = 5;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
