/* A bounded buffer with a mutex and two condition variables; a producer and a consumer hand over
 * three items through one place. */
#include <assert.h>
#include <pthread.h>

#ifndef ITEMS
#define ITEMS 3
#endif

enum { ROOM = 1 };

static int places[ROOM], used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused)
{
    for (int item = 0; item < ITEMS; item++) {
        pthread_mutex_lock(&lock);
        while (used == ROOM)
            pthread_cond_wait(&not_full, &lock);
        places[used++] = item;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (int item = 0; item < ITEMS; item++) {
        pthread_mutex_lock(&lock);
        while (used == 0)
            pthread_cond_wait(&not_empty, &lock);
        int taken = places[--used];
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
        assert(taken == item);
    }
    return unused;
}

int main(void)
{
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(used == 0);
    return 0;
}
