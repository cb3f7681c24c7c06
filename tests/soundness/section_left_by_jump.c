// steam: expect=assert
/* A handler jumps out of a section, and its thread gives the lock back then. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int half;
static volatile sig_atomic_t inside;
static pthread_t first;
static sigjmp_buf before;

static void jump(int signal)
{
    (void)signal;
    if (inside)
        siglongjmp(before, 1);
}

static void *look(void *unused)
{
    (void)unused;
    pthread_kill(first, SIGUSR1);
    pthread_mutex_lock(&lock);
    assert(half != 1); /* ERROR */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t other;
    first = pthread_self();
    signal(SIGUSR1, jump);
    pthread_create(&other, NULL, look, NULL);
    pthread_mutex_lock(&lock);
    if (!sigsetjmp(before, 1)) {
        inside = 1;
        half = 1;
        half = 2;
        inside = 0;
    }
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
