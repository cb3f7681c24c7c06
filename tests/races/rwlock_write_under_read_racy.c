// race: cache.hits 15 15
/* Readers keep a statistic, and only hold the lock for reading when they write it. */
#include <pthread.h>

static struct {
    pthread_rwlock_t lock;
    int value;
    int hits;
} cache = {.lock = PTHREAD_RWLOCK_INITIALIZER, .value = 5};

static void *look(void *result)
{
    pthread_rwlock_rdlock(&cache.lock);
    *(int *)result = cache.value;
    cache.hits++;
    pthread_rwlock_unlock(&cache.lock);
    return NULL;
}

int main(void)
{
    pthread_t readers[2];
    int results[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&readers[i], NULL, look, &results[i]);
    pthread_rwlock_wrlock(&cache.lock);
    cache.value = 6;
    cache.hits = 0;
    pthread_rwlock_unlock(&cache.lock);
    for (int i = 0; i < 2; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
