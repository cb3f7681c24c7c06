// steam: expect=assert
/* A handler ends its thread in the middle of a section, and the cleanup gives the lock back. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int half;
static volatile sig_atomic_t inside;

static void give_back(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&lock);
}

static void leave(int signal)
{
    (void)signal;
    if (inside)
        pthread_exit(NULL);
}

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(give_back, NULL);
    inside = 1;
    half = 1;
    half = 2;
    inside = 0;
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t worker;
    signal(SIGUSR1, leave);
    pthread_create(&worker, NULL, work, NULL);
    pthread_kill(worker, SIGUSR1);
    pthread_mutex_lock(&lock);
    assert(half != 1); /* ERROR */
    pthread_mutex_unlock(&lock);
    pthread_join(worker, NULL);
    return 0;
}
