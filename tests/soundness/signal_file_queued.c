// steam: expect=none with=signal_file.h
/* Real-time signals are all read, and in their order. */
#include <assert.h>
#include <sys/epoll.h>

#include "signal_file.h"

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++)
        sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
    return arg;
}

int main(void)
{
    pthread_t worker;
    int signals = signal_file(SIGRTMIN, SFD_NONBLOCK), watcher = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(watcher, EPOLL_CTL_ADD, signals, &event);
    pthread_create(&worker, 0, work, 0);
    for (int i = 0; i < 2; i++) {
        assert(epoll_wait(watcher, &event, 1, -1) == 1);
        struct signalfd_siginfo record = next_signal(signals);
        assert(record.ssi_signo == SIGRTMIN && record.ssi_int == i);
    }
    pthread_join(worker, 0);
    return 0;
}
