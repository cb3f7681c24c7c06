/* Signals that are read: which fields a record has, in which order they come, and what is refused. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void tell(const char *what, long result)
{
    if (result < 0)
        printf("%s: errno %d\n", what, errno);
    else
        printf("%s: %ld\n", what, result);
}

static void show(const struct signalfd_siginfo *it)
{
    printf("signal %u, errno %d, code %d, from %s, user %d, fd %d, band %u\n", it->ssi_signo, it->ssi_errno,
           it->ssi_code, it->ssi_pid == 0 ? "none" : it->ssi_pid == getpid() ? "itself" : "another",
           it->ssi_uid == (it->ssi_pid ? getuid() : 0), it->ssi_fd, it->ssi_band);
    printf("  timer %u, overrun %u, trap %u, status %d, value %d, pointer %llx, address %llx\n", it->ssi_tid,
           it->ssi_overrun, it->ssi_trapno, it->ssi_status, it->ssi_int,
           (unsigned long long)it->ssi_ptr, (unsigned long long)it->ssi_addr);
}

static void next(int signals)
{
    struct signalfd_siginfo record;
    ssize_t size = read(signals, &record, sizeof record);
    tell("read", size);
    if (size > 0)
        show(&record);
}

static sigset_t set_of(int first, int second)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, first);
    if (second)
        sigaddset(&set, second);
    return set;
}

static void refused(void)
{
    sigset_t set = set_of(SIGUSR1, 0);
    int ends[2];
    pipe(ends);
    tell("unknown flags", signalfd(-1, &set, 1));
    tell("nothing open", signalfd(99, &set, 0));
    tell("a pipe", signalfd(ends[0], &set, 0));
    int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    char small[64] = "";
    tell("closed on exec", fcntl(signals, F_GETFD));
    tell("does not block", (fcntl(signals, F_GETFL) & O_NONBLOCK) != 0);
    tell("read too little", read(signals, small, sizeof small));
    tell("nothing waits", read(signals, &(struct signalfd_siginfo){0}, sizeof(struct signalfd_siginfo)));
    tell("write", write(signals, small, sizeof small));
    tell("read at a place", pread(signals, small, sizeof small, 0));
    tell("seek", lseek(signals, 0, SEEK_SET));
    close(signals);
    close(ends[0]);
    close(ends[1]);
}

static void senders(void)
{
    sigset_t set;
    sigfillset(&set);
    int signals = signalfd(-1, &set, SFD_NONBLOCK);
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR1);
    next(signals);
    next(signals);
    pthread_kill(pthread_self(), SIGTERM);
    next(signals);
    raise(SIGSEGV);
    next(signals);
    sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = -7});
    sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 8});
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 9});
    for (int i = 0; i < 4; i++)
        next(signals);
    alarm(1);
    poll(&(struct pollfd){signals, POLLIN, 0}, 1, -1);
    next(signals);
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2, .sigev_value.sival_int = 5};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    struct itimerspec soon = {{0, 0}, {0, 1000000}};
    timer_settime(timer, 0, &soon, 0);
    poll(&(struct pollfd){signals, POLLIN, 0}, 1, -1);
    next(signals);
    timer_delete(timer);
    fflush(stdout);
    if (fork() == 0)
        _exit(6);
    poll(&(struct pollfd){signals, POLLIN, 0}, 1, -1);
    next(signals);
    wait(0);
    fflush(stdout);
    if (fork() == 0) {
        sigprocmask(SIG_UNBLOCK, &set, 0);
        raise(SIGKILL);
    }
    poll(&(struct pollfd){signals, POLLIN, 0}, 1, -1);
    next(signals);
    wait(0);
    close(signals);
}

static void order(void)
{
    sigset_t set = set_of(SIGUSR1, SIGUSR2);
    int signals = signalfd(-1, &set, 0);
    struct signalfd_siginfo records[4];
    kill(getpid(), SIGUSR1);
    pthread_kill(pthread_self(), SIGUSR2);
    tell("both at once", read(signals, records, sizeof records));
    printf("%u %u: those of the thread come first\n", records[0].ssi_signo, records[1].ssi_signo);
    kill(getpid(), SIGUSR2);
    kill(getpid(), SIGUSR1);
    tell("one by one", read(signals, records, sizeof *records));
    printf("%u: the lowest comes first\n", records[0].ssi_signo);
    siginfo_t info;
    tell("the rest", sigwaitinfo(&set, &info));
    kill(getpid(), SIGUSR1);
    set = set_of(SIGUSR2, 0);
    tell("changed", signalfd(signals, &set, 0) == signals);
    fcntl(signals, F_SETFL, O_NONBLOCK);
    tell("no longer its signal", read(signals, records, sizeof *records));
    struct pollfd watched = {signals, POLLIN | POLLRDNORM | POLLOUT, 0};
    tell("poll", poll(&watched, 1, 0));
    set = set_of(SIGUSR1, 0);
    signalfd(signals, &set, 0);
    tell("poll", poll(&watched, 1, 0));
    printf("events %x\n", watched.revents);
    fd_set ready;
    FD_ZERO(&ready);
    FD_SET(signals, &ready);
    tell("select", select(signals + 1, &ready, 0, 0, 0));
    int watcher = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 3};
    epoll_ctl(watcher, EPOLL_CTL_ADD, signals, &event);
    tell("epoll", epoll_wait(watcher, &event, 1, -1));
    printf("data %u, events %x\n", event.data.u32, event.events);
    next(signals);
    tell("epoll", epoll_wait(watcher, &event, 1, 0));
    close(watcher);
    close(signals);
}

static void *sender(void *receiver)
{
    usleep(20000);
    pthread_kill(*(pthread_t *)receiver, SIGUSR1);
    usleep(20000);
    kill(getpid(), SIGUSR2);
    return 0;
}

static void threads(void)
{
    sigset_t set = set_of(SIGUSR1, SIGUSR2);
    int signals = signalfd(-1, &set, 0);
    pthread_t self = pthread_self(), thread;
    pthread_create(&thread, 0, sender, &self);
    next(signals);
    next(signals);
    pthread_join(thread, 0);
    close(signals);
}

static void handler(int signal)
{
    printf("handler of %d\n", signal);
}

static void handled(void)
{
    sigset_t set = set_of(SIGUSR1, SIGUSR2);
    signal(SIGUSR1, handler);
    signal(SIGUSR2, handler);
    kill(getpid(), SIGUSR1);
    pthread_kill(pthread_self(), SIGUSR2);
    sigprocmask(SIG_UNBLOCK, &set, 0);
}

int main(void)
{
    sigset_t set;
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, 0);
    refused();
    senders();
    order();
    threads();
    handled();
    return 0;
}
