// steam: expect=deadlock
/* The consumer looks at the flag before it takes the lock: the producer's signal can come between
 * the two, and nobody will wake the consumer again. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused)
{
    (void)unused;
    atomic_store(&ready, 1);
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *consume(void *unused)
{
    (void)unused;
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&filled, &lock); /* ERROR */
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t producer, consumer;
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
