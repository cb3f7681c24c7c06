// steam: expect=assert
/* Another thread's signal may come before a thread blocks it. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t blocks, early;

static void take(int signal)
{
    early = !blocks;
}

static void *block(void *unused)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    blocks = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, take);
    pthread_create(&thread, 0, block, 0);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    assert(!early); /* ERROR */
}
