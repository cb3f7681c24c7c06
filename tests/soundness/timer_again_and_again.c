// steam: expect=none
/* A timer with an interval sends its signal again and again, until it is stopped. */
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void handle(int number)
{
    (void)number;
    ticks++;
}

int main(void)
{
    struct itimerval every = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    sigset_t blocked, before;
    signal(SIGALRM, handle);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGALRM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    setitimer(ITIMER_REAL, &every, 0);
    while (ticks < 3)
        sigsuspend(&before);
    setitimer(ITIMER_REAL, &never, 0);
    assert(ticks == 3);
    return 0;
}
