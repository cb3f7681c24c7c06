// steam: expect=assert with=timer_file.h
/* A timer may expire before the other thread has written. */
#include <assert.h>
#include <poll.h>

#include "timer_file.h"

static int ends[2];

static void *work(void *arg)
{
    write(ends[1], "a", 1);
    return arg;
}

int main(void)
{
    pthread_t worker;
    int timer = armed_timer(0, 60, 0);
    pipe(ends);
    pthread_create(&worker, 0, work, 0);
    struct pollfd watched[] = {{ends[0], POLLIN, 0}, {timer, POLLIN, 0}};
    poll(watched, 2, -1);
    assert(watched[0].revents & POLLIN); /* ERROR */
    pthread_join(worker, 0);
    return 0;
}
