// steam: expect=assert
/* A timer may expire before the other thread has written. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int ends[2];

static void *work(void *arg)
{
    write(ends[1], "a", 1);
    return arg;
}

int main(void)
{
    pthread_t worker;
    struct itimerspec times = {{0, 0}, {60, 0}};
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    pipe(ends);
    timerfd_settime(timer, 0, &times, 0);
    pthread_create(&worker, 0, work, 0);
    struct pollfd watched[] = {{ends[0], POLLIN, 0}, {timer, POLLIN, 0}};
    poll(watched, 2, -1);
    assert(watched[0].revents & POLLIN); /* ERROR */
    pthread_join(worker, 0);
    return 0;
}
