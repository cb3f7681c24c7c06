// steam: expect=deadlock
/* A thread that disarms a timer, before it expires, leaves its reader waiting forever. */
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer;

static void *work(void *arg)
{
    struct itimerspec never = {{0, 0}, {0, 0}};
    timerfd_settime(timer, 0, &never, 0);
    return arg;
}

int main(void)
{
    pthread_t worker;
    struct itimerspec times = {{0, 0}, {1, 0}};
    uint64_t count;
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &times, 0);
    pthread_create(&worker, 0, work, 0);
    read(timer, &count, sizeof count);
    pthread_join(worker, 0);
    return 0;
}
