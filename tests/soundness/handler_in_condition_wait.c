// steam: expect=assert
/* A handler runs while its thread has given up the mutex of the condition that it waits for. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int waits, ready, seen;

static void handle(int number)
{
    (void)number;
    seen = waits && !ready;
}

static void *wait_for_it(void *unused)
{
    pthread_mutex_lock(&mutex);
    waits = 1;
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    assert(!seen); /* ERROR */
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t waiter;
    signal(SIGUSR1, handle);
    pthread_create(&waiter, 0, wait_for_it, 0);
    pthread_mutex_lock(&mutex);
    int begun = waits;
    pthread_mutex_unlock(&mutex);
    if (begun)
        pthread_kill(waiter, SIGUSR1);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(waiter, 0);
    return 0;
}
