// steam: expect=assert
/* A signal is taken as soon as it is not blocked, however short that is. */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t taken;

static void take(int signal)
{
    taken = signal;
}

int main(void)
{
    sigset_t set;
    signal(SIGUSR1, take);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    kill(getpid(), SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    sigprocmask(SIG_BLOCK, &set, 0);
    assert(!taken); /* ERROR */
}
