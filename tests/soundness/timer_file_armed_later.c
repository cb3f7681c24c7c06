// steam: expect=none
/* A thread that arms a timer lets its reader go on. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer;

static void *work(void *arg)
{
    struct itimerspec times = {{0, 0}, {1, 0}};
    timerfd_settime(timer, 0, &times, 0);
    return arg;
}

int main(void)
{
    pthread_t worker;
    uint64_t count = 0;
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    pthread_create(&worker, 0, work, 0);
    read(timer, &count, sizeof count);
    assert(count == 1);
    pthread_join(worker, 0);
    return 0;
}
