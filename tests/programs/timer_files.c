/* Timers behind descriptors: armed, disarmed, read, polled, watched; and what is refused. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
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

static struct itimerspec after(long milliseconds, long interval)
{
    struct itimerspec times = {
        {interval / 1000, interval % 1000 * 1000000},
        {milliseconds / 1000, milliseconds % 1000 * 1000000},
    };
    return times;
}

static void refused(void)
{
    struct itimerspec times = after(1, 0), wrong = {{0, 0}, {0, 1000000000}};
    int ends[2];
    pipe(ends);
    tell("unknown flags", timerfd_create(CLOCK_MONOTONIC, 1));
    tell("clock of CPU time", timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0));
    tell("no clock", timerfd_create(77, 0));
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    tell("closed on exec", fcntl(timer, F_GETFD));
    tell("does not block", (fcntl(timer, F_GETFL) & O_NONBLOCK) != 0);
    tell("reads and writes", fcntl(timer, F_GETFL) & O_ACCMODE);
    tell("set with flags", timerfd_settime(timer, 8, &times, 0));
    tell("set to no time", timerfd_settime(timer, 0, &wrong, 0));
    wrong.it_value.tv_nsec = -1;
    tell("set to less", timerfd_settime(timer, 0, &wrong, 0));
    wrong = after(1, 0);
    wrong.it_interval.tv_sec = -1;
    tell("set with no interval", timerfd_settime(timer, 0, &wrong, 0));
    tell("set nothing open", timerfd_settime(99, 0, &times, 0));
    tell("set a pipe", timerfd_settime(ends[0], 0, &times, 0));
    tell("get nothing open", timerfd_gettime(99, &times));
    tell("get a pipe", timerfd_gettime(ends[0], &times));
    uint64_t count = 0;
    tell("read too little", read(timer, &count, 4));
    tell("read what is not armed", read(timer, &count, 8));
    tell("write", write(timer, &count, 8));
    tell("read at a place", pread(timer, &count, 8, 0));
    tell("write at a place", pwrite(timer, &count, 8, 0));
    tell("seek", lseek(timer, 0, SEEK_CUR));
    struct stat status;
    fstat(timer, &status);
    printf("mode %o, size %ld\n", status.st_mode, (long)status.st_size);
    close(ends[0]);
    close(ends[1]);
    close(timer);
}

static void once(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec times = after(50000, 0), old;
    uint64_t count = 0;
    tell("armed", timerfd_settime(timer, 0, &times, 0));
    timerfd_gettime(timer, &old);
    printf("left %d, interval %ld\n", old.it_value.tv_sec >= 49, (long)old.it_interval.tv_sec);
    times = after(2, 0);
    tell("armed again", timerfd_settime(timer, 0, &times, &old));
    printf("were left %d\n", old.it_value.tv_sec >= 49);
    tell("read", read(timer, &count, sizeof count));
    tell("expired", count);
    timerfd_gettime(timer, &old);
    printf("left %ld.%09ld\n", (long)old.it_value.tv_sec, old.it_value.tv_nsec);
    fcntl(timer, F_SETFL, O_NONBLOCK);
    tell("read again", read(timer, &count, sizeof count));
    tell("armed", timerfd_settime(timer, 0, &times, 0));
    usleep(20000);
    times = after(0, 0);
    tell("disarmed", timerfd_settime(timer, 0, &times, &old));
    printf("were left %ld.%09ld\n", (long)old.it_value.tv_sec, old.it_value.tv_nsec);
    tell("what had expired is forgotten", read(timer, &count, sizeof count));
    close(timer);
}

static void again(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec times = after(1, 1), old;
    uint64_t count = 0;
    timerfd_settime(timer, 0, &times, 0);
    usleep(30000);
    timerfd_gettime(timer, &old);
    printf("goes on %d, every %ld ns\n", old.it_value.tv_nsec <= 1000000, old.it_interval.tv_nsec);
    char room[16];
    memset(room, 'x', sizeof room);
    tell("read", read(timer, room, sizeof room));
    memcpy(&count, room, 8);
    printf("several at once %d, behind it %.4s\n", count >= 20, room + 8);
    times = after(1, 100000);
    timerfd_settime(timer, 0, &times, &old);
    printf("interval was %ld\n", old.it_interval.tv_nsec);
    struct pollfd watched = {timer, POLLIN | POLLOUT | POLLRDNORM, 0};
    tell("poll", poll(&watched, 1, -1));
    printf("events %x\n", watched.revents);
    tell("read", read(timer, &count, sizeof count));
    tell("expired", count);
    tell("poll", poll(&watched, 1, 0));
    close(timer);
}

static void absolute(void)
{
    static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME};
    for (int i = 0; i < 3; i++) {
        int timer = timerfd_create(clocks[i], 0);
        struct itimerspec times = {{0, 0}, {0, 0}};
        uint64_t count = 0;
        clock_gettime(clocks[i], &times.it_value);
        times.it_value.tv_sec++;
        struct timespec then = times.it_value, now;
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &times, 0);
        read(timer, &count, sizeof count);
        clock_gettime(clocks[i], &now);
        printf("expired %d, not before its time %d\n", (int)count,
               now.tv_sec > then.tv_sec || (now.tv_sec == then.tv_sec && now.tv_nsec >= then.tv_nsec));
        times.it_value.tv_sec -= 5;
        timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &times, 0);
        read(timer, &count, sizeof count);
        tell("long ago", count);
        close(timer);
    }
}

static void watched(void)
{
    int first = timerfd_create(CLOCK_MONOTONIC, 0), second = timerfd_create(CLOCK_MONOTONIC, 0);
    int watcher = epoll_create1(0);
    struct itimerspec soon = after(5, 0), late = after(60, 0);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 1};
    tell("watch", epoll_ctl(watcher, EPOLL_CTL_ADD, first, &event));
    event.data.u32 = 2;
    tell("watch", epoll_ctl(watcher, EPOLL_CTL_ADD, second, &event));
    tell("none yet", epoll_wait(watcher, &event, 1, 1));
    timerfd_settime(first, 0, &late, 0);
    timerfd_settime(second, 0, &soon, 0);
    for (int i = 0; i < 2; i++) {
        uint64_t count;
        tell("ready", epoll_wait(watcher, &event, 1, -1));
        printf("timer %u, events %x\n", event.data.u32, event.events);
        read(event.data.u32 == 1 ? first : second, &count, sizeof count);
    }
    timerfd_settime(first, 0, &soon, 0);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(first, &set);
    FD_SET(second, &set);
    tell("select", select(second + 1, &set, 0, 0, 0));
    printf("first %d, second %d\n", FD_ISSET(first, &set) != 0, FD_ISSET(second, &set) != 0);
    close(first);
    close(second);
    close(watcher);
}

static void inherited(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec times = after(20, 0);
    timerfd_settime(timer, 0, &times, 0);
    fflush(stdout);
    if (fork() == 0) {
        uint64_t count = 0;
        read(timer, &count, sizeof count);
        _exit(count);
    }
    int status;
    wait(&status);
    tell("the child read", WEXITSTATUS(status));
    fcntl(timer, F_SETFL, O_NONBLOCK);
    tell("the parent reads", read(timer, &status, 8));
}

int main(void)
{
    refused();
    once();
    again();
    absolute();
    watched();
    inherited();
    return 0;
}
