// steam: expect=assert
/* The handler is there only when its thread is in the middle of a section, and gives the lock back there. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int half;
static volatile sig_atomic_t inside;
static atomic_int entered;
static pthread_t first;

static void open_section(int signal)
{
    (void)signal;
    if (inside) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
}

static void *look(void *unused)
{
    (void)unused;
    if (!entered)
        return NULL;
    signal(SIGUSR1, open_section);
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
    pthread_create(&other, NULL, look, NULL);
    pthread_mutex_lock(&lock);
    inside = 1;
    entered = 1;
    half = 1;
    half = 2;
    inside = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
