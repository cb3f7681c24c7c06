// steam: expect=none
/* Real-time signals are all read, and in their order. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++)
        sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
    return arg;
}

int main(void)
{
    pthread_t worker;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, 0);
    int signals = signalfd(-1, &set, SFD_NONBLOCK), watcher = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(watcher, EPOLL_CTL_ADD, signals, &event);
    pthread_create(&worker, 0, work, 0);
    for (int i = 0; i < 2; i++) {
        struct signalfd_siginfo record;
        assert(epoll_wait(watcher, &event, 1, -1) == 1);
        assert(read(signals, &record, sizeof record) == sizeof record);
        assert(record.ssi_int == i);
    }
    pthread_join(worker, 0);
    return 0;
}
