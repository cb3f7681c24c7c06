// lacks nothing
/* A lock that is taken if it is free. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int x;
int lost;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    if (pthread_mutex_trylock(&m) == 0) {
        x++;
        pthread_mutex_unlock(&m);
    } else
        lost++;
    return argument;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&m);
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
