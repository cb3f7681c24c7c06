/* How large the buffers of sockets are that a program asks for, and how much fits into those of UNIX sockets. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char bytes[100000];

static int ask(int fd, int option)
{
    int value = -1;
    socklen_t size = sizeof value;
    getsockopt(fd, SOL_SOCKET, option, &value, &size);
    return value;
}

static void set(int fd, int option, int value)
{
    printf("%d ", setsockopt(fd, SOL_SOCKET, option, &value, sizeof value));
}

static void sizes(int family, int type)
{
    static const int asked[] = {0, 1, 1152, 2000, 2304, 10000, 65536, 212992};
    for (int i = 0; i < 8; i++) {
        int fd = socket(family, type, 0);
        set(fd, SO_SNDBUF, asked[i]);
        set(fd, SO_RCVBUF, asked[i]);
        printf("asked %d: %d %d\n", asked[i], ask(fd, SO_SNDBUF), ask(fd, SO_RCVBUF));
        close(fd);
    }
}

static void fill(int type, int asked, int size)
{
    int ends[2], writes = 0, all = 0, got;
    socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, ends);
    if (asked >= 0)
        set(ends[0], SO_SNDBUF, asked);
    struct pollfd poll_one = {.fd = ends[0], .events = POLLOUT};
    while ((got = write(ends[0], bytes, size)) > 0) {
        writes++;
        all += got;
        if (writes % 5 == 0)
            printf("%d", poll(&poll_one, 1, 0));
    }
    printf(" type %d asked %d size %d: %d writes, %d bytes, %s\n", type, asked, size, writes, all,
           strerrorname_np(errno));
    for (int i = 0; i < 4; i++) {
        got = read(ends[1], bytes, 700);
        int again = write(ends[0], bytes, size < 100 ? size : 100);
        printf("%d %d %d, ", got, again, poll(&poll_one, 1, 0));
    }
    printf("\n");
    close(ends[0]);
    close(ends[1]);
}

/* Each sender has a buffer of its own. */
static void two_senders(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0buffers"};
    int to = socket(AF_UNIX, SOCK_DGRAM, 0), from[2];
    bind(to, (struct sockaddr *)&name, sizeof(short) + 8);
    for (int i = 0; i < 2; i++) {
        from[i] = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
        set(from[i], SO_SNDBUF, 2400);
        connect(from[i], (struct sockaddr *)&name, sizeof(short) + 8);
    }
    for (int i = 0; i < 10; i++)
        printf("%zd ", write(from[i % 2], bytes, 1000));
    close(from[0]);
    from[0] = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    set(from[0], SO_SNDBUF, 2400);
    connect(from[0], (struct sockaddr *)&name, sizeof(short) + 8);
    for (int i = 0; i < 12; i++)
        printf("%zd ", write(from[i % 2], bytes, 10));
    printf("\n");
    close(to);
    close(from[0]);
    close(from[1]);
}

/* What listens hands its sizes on to those that it accepts, over TCP alone. */
static void inherited(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    set(listener, SO_SNDBUF, 20000);
    set(listener, SO_RCVBUF, 30000);
    bind(listener, (struct sockaddr *)&name, size);
    getsockname(listener, (struct sockaddr *)&name, &size);
    listen(listener, 1);
    int one = socket(AF_INET, SOCK_STREAM, 0);
    connect(one, (struct sockaddr *)&name, size);
    int other = accept(listener, NULL, NULL);
    printf("%d %d\n", ask(other, SO_SNDBUF), ask(other, SO_RCVBUF));
    set(one, SO_SNDBUF, 40000);
    printf("%d ", ask(one, SO_SNDBUF));
    printf("%zd ", write(one, bytes, 5000));
    printf("%zd\n", read(other, bytes, 5000));
    close(one);
    close(other);
    close(listener);
    struct sockaddr_un path = {.sun_family = AF_UNIX, .sun_path = "\0listener"};
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    set(listener, SO_SNDBUF, 20000);
    bind(listener, (struct sockaddr *)&path, sizeof(short) + 9);
    listen(listener, 1);
    one = socket(AF_UNIX, SOCK_STREAM, 0);
    set(one, SO_SNDBUF, 3000);
    connect(one, (struct sockaddr *)&path, sizeof(short) + 9);
    other = accept(listener, NULL, NULL);
    fcntl(one, F_SETFL, O_NONBLOCK);
    fcntl(other, F_SETFL, O_NONBLOCK);
    printf("%d %d\n", ask(one, SO_SNDBUF), ask(other, SO_SNDBUF));
    printf("%zd ", write(one, bytes, 50000));
    printf("%zd\n", write(other, bytes, 50000));
}

int main(void)
{
    sizes(AF_UNIX, SOCK_STREAM);
    sizes(AF_UNIX, SOCK_DGRAM);
    sizes(AF_INET, SOCK_STREAM);
    sizes(AF_INET, SOCK_DGRAM);
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
    static const int asked[] = {-1, 0, 5000, 30000, 212992};
    static const int sizes[] = {1, 100, 1000, 5000, 100000};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 5; k++)
                fill(types[i], asked[j], sizes[k]);
    two_senders();
    inherited();
    return 0;
}
