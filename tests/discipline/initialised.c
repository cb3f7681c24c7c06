// lacks nothing
/* Written before the threads are there, and only read by them; and what main writes before without the lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int limit, sum;
int one, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    one = limit;
    pthread_mutex_lock(&m);
    sum += one;
    pthread_mutex_unlock(&m);
    return argument;
}

static void *second(void *argument)
{
    other = limit;
    pthread_mutex_lock(&m);
    sum += other;
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    limit = 5;
    sum = 1;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);

    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
