// steam: expect=none with=timer_file.h
/* Who watches a timer and a pipe sees one of them or both, and goes on in any case. */
#include <assert.h>
#include <sys/epoll.h>

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
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), watcher = epoll_create1(0);
    struct epoll_event events[2] = {{.events = EPOLLIN, .data.u32 = 1}};
    char byte;
    pipe(ends);
    epoll_ctl(watcher, EPOLL_CTL_ADD, timer, events);
    events->data.u32 = 2;
    epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], events);
    arm(timer, 1, 0);
    pthread_create(&worker, 0, work, 0);
    int seen = 0;
    while (seen != 3) {
        int ready = epoll_wait(watcher, events, 2, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.u32 == 1) {
                assert(expired(timer) == 1);
            } else {
                assert(read(ends[0], &byte, 1) == 1);
            }
            assert(!(seen & events[i].data.u32));
            seen |= events[i].data.u32;
        }
    }
    pthread_join(worker, 0);
    return 0;
}
