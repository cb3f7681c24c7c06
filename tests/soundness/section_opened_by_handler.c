// steam: expect=assert
/* A handler gives back the lock of what it interrupts, and takes it again. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int half;
static volatile sig_atomic_t inside;
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
    signal(SIGUSR1, open_section);
    pthread_create(&other, NULL, look, NULL);
    pthread_mutex_lock(&lock);
    inside = 1;
    half = 1;
    half = 2;
    inside = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
