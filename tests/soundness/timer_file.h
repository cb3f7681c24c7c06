/* Timers behind descriptors (timerfd). */
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Lets a timer expire in so many seconds, and again whenever `interval` seconds have passed; 0 for never. */
static inline void arm(int timer, int seconds, int interval)
{
    struct itimerspec times = {{interval, 0}, {seconds, 0}};
    timerfd_settime(timer, 0, &times, 0);
}

static inline int armed_timer(int flags, int seconds, int interval)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, flags);
    arm(timer, seconds, interval);
    return timer;
}

/* How often a timer has expired since this was asked last; 0 where it has not, and nobody waits. */
static inline int expired(int timer)
{
    uint64_t count;
    return read(timer, &count, sizeof count) == sizeof count ? (int)count : 0;
}
