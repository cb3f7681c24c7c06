// lacks nothing
/* One lock, held at every access. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int count;
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
    pthread_mutex_lock(&m);
    count += 2;
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
