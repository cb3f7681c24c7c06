// steam: levels=O2
// no race
/* A sum in parallel: each thread adds up its part in a local, and then adds that under the lock. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const int values[6] = {1, 2, 3, 4, 5, 6};
static int total;

static void *reduce(void *from)
{
    const int *part = from;
    int local = 0;
    for (int i = 0; i < 3; i++)
        local += part[i];
    pthread_mutex_lock(&lock);
    total += local;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, reduce, (void *)values);
    reduce((void *)(values + 3));
    pthread_join(thread, NULL);
    assert(total == 21);
    return 0;
}
