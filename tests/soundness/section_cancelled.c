// steam: expect=assert
/* A thread is cancelled in the middle of a section, and its cleanup gives the lock back. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int half;

static void give_back(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(give_back, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    half = 1;
    half = 2;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_cancel(worker);
    pthread_mutex_lock(&lock);
    assert(half != 1); /* ERROR */
    pthread_mutex_unlock(&lock);
    pthread_join(worker, NULL);
    return 0;
}
