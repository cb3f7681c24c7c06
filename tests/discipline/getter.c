// lacks: count
/* A reader that takes no lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int count;
int seen;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return argument;
}

static void *second(void *argument)
{
    seen = count;
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
