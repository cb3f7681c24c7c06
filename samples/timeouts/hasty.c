// steam: expect=assert
/* A wait with a time limit, by a program that believes in being fast enough: after one second the
 * item must be there. No test on an idle machine will ever fail. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int ready;

static void *produce(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *consume(void *taken)
{
    struct timespec limit;
    int result = 0;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    pthread_mutex_lock(&lock);
    while (!ready && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&filled, &lock, &limit);
    assert(ready); /* ERROR */
    ready = 0;
    *(int *)taken = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t producer, consumer;
    int taken = 0;
    pthread_create(&consumer, NULL, consume, &taken);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(ready + taken == 1);
    return 0;
}
