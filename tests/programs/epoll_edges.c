/* Edge-triggered epoll: after which events what is told, and what is not told again. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>



static int watcher;

static void watch(int operation, int fd, unsigned events)
{
    struct epoll_event event = {.events = events, .data.fd = fd};
    if (epoll_ctl(watcher, operation, fd, &event) != 0)
        printf("%s\n", strerrorname_np(errno));
}

static void told(const char *when)
{
    struct epoll_event events[4];
    int count = epoll_wait(watcher, events, 1, 0);
    printf("%s:", when);
    for (int i = 0; i < count; i++)
        printf(" %x", events[i].events);
    count = epoll_wait(watcher, events, 4, 0);
    printf(count ? " and %d more, %x\n" : "\n", count, events[0].events);
}

static char bytes[70000];

static void pipes(void)
{
    int ends[2];
    watcher = epoll_create1(0);
    pipe2(ends, O_NONBLOCK);
    write(ends[1], "abc", 3);
    watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET);
    told("something there");
    read(ends[0], bytes, 1);
    told("a part was read");
    write(ends[1], "d", 1);
    told("more came");
    watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET);
    told("asked again");
    write(ends[1], "d", 1);
    read(ends[0], bytes, 99);
    told("all was read");
    write(ends[1], "d", 1);
    told("more came");
    watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET | EPOLLONESHOT);
    told("once");
    write(ends[1], "d", 1);
    told("more came");
    watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET);
    told("asked again");
    watch(EPOLL_CTL_DEL, ends[0], 0);
    watch(EPOLL_CTL_ADD, ends[1], EPOLLOUT | EPOLLET);
    told("room");
    read(ends[0], bytes, 99);
    told("read");
    write(ends[1], bytes, 65536);
    told("full");
    read(ends[0], bytes, 4096);
    told("room again");
    read(ends[0], bytes, 4096);
    told("more room");
    write(ends[1], bytes, 8192);
    read(ends[0], bytes, 8192);
    told("filled and drained");
    watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET);
    told("both");
    int copy = dup(ends[1]);
    close(copy);
    told("a copy closed");
    close(ends[0]);
    told("reader closed");
    close(ends[1]);
    pipe2(ends, O_NONBLOCK);
    watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET | EPOLLRDHUP);
    told("nothing");
    write(ends[1], "x", 1);
    told("came");
    close(ends[1]);
    told("writer closed");
    read(ends[0], bytes, 9);
    told("read");
    close(ends[0]);
    close(watcher);
}


static void counters(void)
{
    watcher = epoll_create1(0);
    int fd = eventfd(0, EFD_NONBLOCK);
    unsigned long long one = 1;
    watch(EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLET);
    told("zero");
    write(fd, &one, 8);
    told("one");
    told("still one");
    write(fd, &one, 8);
    told("two");
    read(fd, &one, 8);
    told("read");
    one = 1;
    write(fd, &one, 8);
    told("one again");
    watch(EPOLL_CTL_MOD, fd, EPOLLOUT | EPOLLIN | EPOLLET);
    told("asked for both");
    read(fd, &one, 8);
    told("read");
    one = 1;
    write(fd, &one, 8);
    told("written");
    watch(EPOLL_CTL_MOD, fd, EPOLLOUT | EPOLLET);
    told("out");
    write(fd, &one, 8);
    told("written");
    read(fd, &one, 8);
    told("read");
    close(fd);
    close(watcher);
}

static void pairs(int type)
{
    int ends[2];
    watcher = epoll_create1(0);
    socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, ends);
    watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLOUT | EPOLLET | EPOLLRDHUP);
    told("new");
    write(ends[1], "abc", 3);
    told("came");
    write(ends[1], "def", 3);
    told("came again");
    read(ends[0], bytes, 2);
    told("a part was read");
    read(ends[0], bytes, 99);
    told("read");
    write(ends[1], "xyz", 3);
    told("came");
    write(ends[0], "back", 4);
    told("sent back");
    read(ends[1], bytes, 2);
    told("a part received there");
    read(ends[1], bytes, 99);
    told("received there");
    while (write(ends[0], bytes, 1000) > 0)
        ;
    told("full");
    for (int i = 0; i < 80; i++) {
        read(ends[1], bytes, 1000);
        if (i % 10 == 0 || i > 60)
            told("room?");
    }
    watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET | EPOLLRDHUP);
    told("in alone");
    read(ends[1], bytes, 1000);
    told("room");
    if (type != SOCK_DGRAM) {
        shutdown(ends[0], SHUT_RD);
        told("shut for reading");
        shutdown(ends[1], SHUT_WR);
        told("shut there");
    }
    write(ends[1], "xyz", 3);
    told("written there");
    close(ends[1]);
    told("closed there");
    read(ends[0], bytes, 99);
    told("read");
    close(ends[0]);
    close(watcher);
}

static void listeners(int family)
{
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_un path = {.sun_family = AF_UNIX, .sun_path = "\0edges"};
    struct sockaddr *name = family == AF_UNIX ? (void *)&path : (void *)&port;
    socklen_t size = family == AF_UNIX ? sizeof(short) + 6 : sizeof port;
    watcher = epoll_create1(0);
    int listener = socket(family, SOCK_STREAM | SOCK_NONBLOCK, 0);
    bind(listener, name, size);
    getsockname(listener, name, &size);
    listen(listener, 8);
    watch(EPOLL_CTL_ADD, listener, EPOLLIN | EPOLLET);
    told("nobody");
    int one = socket(family, SOCK_STREAM, 0), two = socket(family, SOCK_STREAM, 0);
    connect(one, name, size);
    told("one");
    connect(two, name, size);
    told("two");
    int first = accept(listener, NULL, NULL);
    told("one accepted");
    int second = accept(listener, NULL, NULL);
    told("both accepted");
    watch(EPOLL_CTL_ADD, first, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
    told("new");
    write(one, "abc", 3);
    told("came");
    read(first, bytes, 1);
    told("a part was read");
    write(one, "d", 1);
    told("more came");
    write(first, "xyz", 3);
    told("sent back");
    read(one, bytes, 3);
    told("received there");
    shutdown(one, SHUT_WR);
    told("shut there");
    read(first, bytes, 99);
    told("read");
    shutdown(first, SHUT_WR);
    told("shut");
    close(one);
    told("closed there");
    close(first);
    watch(EPOLL_CTL_ADD, second, EPOLLIN | EPOLLET);
    told("new");
    write(second, "unread", 6);
    close(two);
    told("closed there with something unread");
    close(second);
    close(listener);
    close(watcher);
}

static void connecting(void)
{
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof port;
    watcher = epoll_create1(0);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&port, size);
    getsockname(listener, (struct sockaddr *)&port, &size);
    listen(listener, 8);
    int one = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    watch(EPOLL_CTL_ADD, one, EPOLLIN | EPOLLOUT | EPOLLET);
    told("fresh");
    connect(one, (struct sockaddr *)&port, size);
    told("connected");
    close(listener);
    told("turned away");
    int two = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    watch(EPOLL_CTL_ADD, two, EPOLLIN | EPOLLOUT | EPOLLET);
    told("fresh");
    connect(two, (struct sockaddr *)&port, size);
    told("refused");
    close(one);
    close(two);
    close(watcher);
}

static void refused(void)
{
    int ends[2];
    watcher = epoll_create1(0);
    pipe(ends);
    int null = open("/dev/null", O_RDWR);
    watch(EPOLL_CTL_ADD, null, EPOLLIN);
    watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET | EPOLLWAKEUP);
    watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET);
    watch(EPOLL_CTL_MOD, ends[1], EPOLLIN | EPOLLET);
    write(ends[1], "x", 1);
    told("came");
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    pipes();
    counters();
    pairs(SOCK_STREAM);
    pairs(SOCK_SEQPACKET);
    pairs(SOCK_DGRAM);
    listeners(AF_UNIX);
    listeners(AF_INET);
    connecting();
    refused();
    return 0;
}
