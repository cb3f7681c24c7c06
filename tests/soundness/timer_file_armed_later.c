// steam: expect=none with=timer_file.h
/* A thread that arms a timer lets its reader go on. */
#include <assert.h>

#include "timer_file.h"

static int timer;

static void *work(void *arg)
{
    arm(timer, 1, 0);
    return arg;
}

int main(void)
{
    pthread_t worker;
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    pthread_create(&worker, 0, work, 0);
    assert(expired(timer) == 1);
    pthread_join(worker, 0);
    return 0;
}
