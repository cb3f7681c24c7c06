// lacks: cells[1]
/* Elements of an array: a lock for the first, none for the second, one thread for the third. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int cells[3];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    pthread_mutex_lock(&m);
    cells[0]++;
    pthread_mutex_unlock(&m);
    cells[1]++;
    cells[2]++;
    return argument;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&m);
    cells[0]++;
    pthread_mutex_unlock(&m);
    cells[1]++;
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
