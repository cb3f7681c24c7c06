// steam: expect=none
/* A timer of timer_create with an interval sends its signal again and again, until it is stopped. */
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static volatile sig_atomic_t ticks;

static void handle(int number)
{
    (void)number;
    ticks++;
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec every = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    sigset_t blocked, before;
    timer_t timer;
    signal(SIGUSR1, handle);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &every, NULL);
    while (ticks < 3)
        sigsuspend(&before);
    timer_settime(timer, 0, &never, NULL);
    assert(ticks == 3);
    return 0;
}
