// no race
/* Producer and consumer with a bounded queue, a mutex and two conditions. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int slot, filled;

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (filled)
        pthread_cond_wait(&not_full, &lock);
    slot = item;
    filled = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int get(void)
{
    pthread_mutex_lock(&lock);
    while (!filled)
        pthread_cond_wait(&not_empty, &lock);
    int item = slot;
    filled = 0;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *unused)
{
    put(1);
    put(2);
    return unused;
}

int main(void)
{
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    assert(get() == 1);
    assert(get() == 2);
    pthread_join(producer, NULL);
    return 0;
}
