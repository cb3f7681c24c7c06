/* Pipes with names, eventfd, and descriptors that epoll tells of once. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(const char *what, long result)
{
    if (result < 0)
        printf("%s: errno %d\n", what, errno);
    else
        printf("%s: %ld\n", what, result);
}

static void fifos(void)
{
    char name[64], text[16];
    struct stat status;
    snprintf(name, sizeof name, "/tmp/fifo-of-%d", (int)getpid());
    tell("made", mkfifo(name, 0600));
    tell("made again", mkfifo(name, 0600));
    stat(name, &status);
    tell("is a fifo", S_ISFIFO(status.st_mode));
    tell("size", status.st_size);
    tell("nobody reads", open(name, O_WRONLY | O_NONBLOCK));
    fflush(stdout);
    if (fork() == 0) {
        int end = open(name, O_WRONLY);
        write(end, "through", 7);
        _exit(0);
    }
    int end = open(name, O_RDONLY);
    ssize_t size = read(end, text, sizeof text);
    printf("read %.*s\n", (int)size, text);
    tell("past its end", read(end, text, sizeof text));
    wait(NULL);
    close(end);
    tell("unlinked", unlink(name));
}

static void events(void)
{
    uint64_t value = 3;
    int plain = eventfd(2, EFD_NONBLOCK), singly = eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE);
    tell("wrote", write(plain, &value, sizeof value));
    tell("read", read(plain, &value, sizeof value));
    tell("counted", value);
    tell("read again", read(plain, &value, sizeof value));
    tell("read too little", read(plain, &value, 4));
    tell("wrote too little", write(plain, &value, 4));
    for (int i = 0; i < 3; i++)
        tell("read singly", read(singly, &value, sizeof value));
    tell("one", value);
    value = UINT64_MAX - 1;
    tell("filled", write(plain, &value, sizeof value));
    value = 1;
    tell("one more", write(plain, &value, sizeof value));
    struct pollfd watched = {plain, POLLIN | POLLOUT, 0};
    tell("poll", poll(&watched, 1, 0));
    tell("in", (watched.revents & POLLIN) != 0);
    tell("out", (watched.revents & POLLOUT) != 0);
    watched.events = POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
    tell("poll for all", poll(&watched, 1, 0));
    tell("events", watched.revents);
    tell("seek", lseek(plain, 0, SEEK_SET));
    value = UINT64_MAX;
    tell("too much", write(plain, &value, sizeof value));
}

static void once(void)
{
    int event = eventfd(1, 0), watcher = epoll_create1(0);
    struct epoll_event told = {.events = EPOLLIN | EPOLLONESHOT, .data.u32 = 7};
    epoll_ctl(watcher, EPOLL_CTL_ADD, event, &told);
    tell("told", epoll_wait(watcher, &told, 1, 0));
    tell("of", told.data.u32);
    tell("told again", epoll_wait(watcher, &told, 1, 0));
    told.events = EPOLLIN | EPOLLONESHOT;
    epoll_ctl(watcher, EPOLL_CTL_MOD, event, &told);
    tell("asked again", epoll_wait(watcher, &told, 1, 0));
}

int main(void)
{
    fifos();
    events();
    once();
    return 0;
}
