// lacks: box.free
/* Members of one structure under different locks, and one under none. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct { int left, right, free; } box;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    pthread_mutex_lock(&m);
    box.left++;
    pthread_mutex_unlock(&m);
    box.free++;
    return argument;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&m);
    box.left++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n);
    box.right++;
    pthread_mutex_unlock(&n);
    box.free++;
    return argument;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_mutex_lock(&n);
    box.right++;
    pthread_mutex_unlock(&n);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
