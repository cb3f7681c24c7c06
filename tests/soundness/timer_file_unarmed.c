// steam: expect=deadlock with=timer_file.h
/* A thread that disarms a timer, before it expires, leaves its reader waiting forever. */
#include "timer_file.h"

static int timer;

static void *work(void *arg)
{
    arm(timer, 0, 0);
    return arg;
}

int main(void)
{
    pthread_t worker;
    timer = armed_timer(0, 1, 0);
    pthread_create(&worker, 0, work, 0);
    expired(timer);
    pthread_join(worker, 0);
    return 0;
}
