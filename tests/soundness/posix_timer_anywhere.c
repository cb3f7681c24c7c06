// steam: expect=assert
/* The handler comes between two writes of the first thread; another timer is never set. */
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static volatile sig_atomic_t first, second;

static void handle(int number)
{
    (void)number;
    assert(first == second);
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec once = {{0, 0}, {1, 0}};
    timer_t timer, other;
    signal(SIGUSR1, handle);
    timer_create(CLOCK_MONOTONIC, &event, &other);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &once, NULL);
    first = 1;
    second = 1;
    timer_delete(timer);
    return 0;
}
