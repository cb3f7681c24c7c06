// steam: expect=none
/* Who watches a timer and a pipe sees one of them or both, and goes on in any case. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
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
    struct itimerspec times = {{0, 0}, {1, 0}};
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), watcher = epoll_create1(0);
    struct epoll_event events[2] = {{.events = EPOLLIN, .data.u32 = 1}};
    uint64_t count;
    char byte;
    pipe(ends);
    epoll_ctl(watcher, EPOLL_CTL_ADD, timer, events);
    events->data.u32 = 2;
    epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], events);
    timerfd_settime(timer, 0, &times, 0);
    pthread_create(&worker, 0, work, 0);
    int seen = 0;
    while (seen != 3) {
        int ready = epoll_wait(watcher, events, 2, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.u32 == 1) {
                assert(read(timer, &count, sizeof count) == 8 && count == 1);
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
