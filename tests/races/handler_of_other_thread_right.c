// no race
/* A signal that one thread sends to another is handled there, and the handler uses what only that
 * thread has. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static __thread volatile sig_atomic_t caught;
static pthread_barrier_t sent;

static void count(int number)
{
    caught += number == SIGUSR1;
}

static void *wait(void *unused)
{
    caught = 0;
    pthread_barrier_wait(&sent);
    assert(caught <= 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, count);
    pthread_barrier_init(&sent, NULL, 2);
    pthread_create(&thread, NULL, wait, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_barrier_wait(&sent);
    pthread_join(thread, NULL);
    assert(caught == 0);
    return 0;
}
