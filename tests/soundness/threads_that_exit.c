// steam: expect=none states=100
/* What the library does to end a thread by `pthread_exit` is nobody else's concern. */
#include <assert.h>
#include <pthread.h>

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *adds(void *unused)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    pthread_exit(unused);
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, adds, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(sum == 3);
    return 0;
}
