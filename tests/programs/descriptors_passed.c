/* Descriptors that messages hand over: how many arrive, where a stream stops, what is lost and what stays open. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

union control {
    struct cmsghdr head;
    char space[CMSG_SPACE(8 * sizeof(int))];
};

static int give(int to, const char *text, const int *descriptors, int count)
{
    union control control = {0};
    struct iovec part = {(char *)text, strlen(text)};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        *head = (struct cmsghdr){CMSG_LEN(count * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(head), descriptors, count * sizeof(int));
    }
    int sent = sendmsg(to, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0)
        printf("[%s] ", strerrorname_np(errno));
    return sent;
}

/* Takes up to `size` bytes; prints them and the descriptors that came. */
static int take(int from, int size, int room, int flags, int *descriptors)
{
    char text[64] = "";
    union control control;
    memset(&control, 0x55, sizeof control);
    struct iovec part = {text, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (room >= 0) {
        message.msg_control = &control;
        message.msg_controllen = room;
    }
    int got = recvmsg(from, &message, flags | MSG_DONTWAIT), count = 0;
    if (got < 0) {
        printf("%s\n", strerrorname_np(errno));
        return -1;
    }
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    printf("%d '%.*s' flags %x control %d", got, got, text, message.msg_flags,
           (int)message.msg_controllen);
    if (head) {
        count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        printf(" len %d level %d type %d:", (int)head->cmsg_len, head->cmsg_level, head->cmsg_type);
        for (int i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(head) + i * sizeof(int), sizeof fd);
            printf(" %d%s", fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? "x" : "");
            if (descriptors)
                descriptors[i] = fd;
            else
                close(fd);
        }
    }
    printf("\n");
    return count;
}

static void is_open(const char *what, int reader)
{
    struct pollfd one = {.fd = reader, .events = POLLIN};
    poll(&one, 1, 0);
    printf("%s: %s\n", what, one.revents & POLLHUP ? "closed" : "open");
}

static void sizes(int type)
{
    int ends[2], tube[2];
    socketpair(AF_UNIX, type, 0, ends);
    pipe(tube);
    int several[] = {tube[0], tube[1], ends[0], 1};
    for (int room = -1; room <= (int)CMSG_SPACE(16) + 4; room++) {
        give(ends[0], "m", several, 4);
        printf("room %d: ", room);
        take(ends[1], 8, room, room % 2 ? MSG_CMSG_CLOEXEC : 0, NULL);
    }
    give(ends[0], "only", NULL, 0);
    take(ends[1], 8, 64, MSG_CMSG_CLOEXEC, NULL);
    int bad[] = {1, 99};
    printf("%d\n", give(ends[0], "bad", bad, 2));
    take(ends[1], 8, 64, 0, NULL);
    /* Looking gives descriptors, too. */
    give(ends[0], "look", several, 2);
    take(ends[1], 2, 64, MSG_PEEK, NULL);
    take(ends[1], 2, 64, MSG_PEEK, NULL);
    take(ends[1], 8, 64, 0, NULL);
    printf("%d\n", give(ends[0], "", several, 1));
    take(ends[1], 8, 64, 0, NULL);
    for (int i = 0; i < 2; i++) {
        close(ends[i]);
        close(tube[i]);
    }
}

static void boundaries(void)
{
    int ends[2], some[] = {0, 1};
    char text[16];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    give(ends[0], "ab", NULL, 0);
    give(ends[0], "cd", some, 1);
    give(ends[0], "ef", NULL, 0);
    give(ends[0], "gh", some, 2);
    give(ends[0], "ij", some, 1);
    take(ends[1], 1, 64, 0, NULL);
    take(ends[1], 16, 64, MSG_PEEK, NULL);
    take(ends[1], 2, 64, 0, NULL); /* a part of what came with one */
    take(ends[1], 0, 64, 0, NULL);
    take(ends[1], 16, 64, MSG_WAITALL, NULL);
    take(ends[1], 16, 64, 0, NULL);
    take(ends[1], 16, 64, 0, NULL);
    /* Plain reads stop there, too. */
    give(ends[0], "kl", some, 1);
    give(ends[0], "mn", NULL, 0);
    give(ends[0], "op", some, 2);
    printf("%zd ", read(ends[1], text, sizeof text));
    printf("%zd ", recv(ends[1], text, sizeof text, 0));
    printf("%zd\n", recv(ends[1], text, sizeof text, MSG_DONTWAIT));
    give(ends[0], "q", some, 1);
    take(ends[1], 0, 64, 0, NULL);
    take(ends[1], 4, 64, 0, NULL);
    close(ends[0]);
    close(ends[1]);
}

/* What is on its way keeps a pipe open, until it is lost. */
static void keeping(int type, int how)
{
    int ends[2], tube[2];
    char text[4];
    socketpair(AF_UNIX, type, 0, ends);
    pipe(tube);
    give(ends[0], "x", &tube[1], 1);
    close(tube[1]);
    is_open("on its way", tube[0]);
    if (how != 3)
        close(ends[0]);
    is_open("sender closed", tube[0]);
    switch (how) {
    case 0:
        read(ends[1], text, sizeof text);
        break;
    case 1:
        close(ends[1]);
        break;
    case 2:
        take(ends[1], 4, -1, 0, NULL);
        break;
    case 3:
        close(ends[1]);
        close(ends[0]);
        break;
    }
    is_open("lost", tube[0]);
    if (how != 1 && how != 3)
        close(ends[1]);
    close(tube[0]);
}

/* Sockets that are held by each other's messages alone are dropped. */
static void circle(void)
{
    int ends[2], tube[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pipe(tube);
    give(ends[0], "1", &ends[1], 1);
    give(ends[1], "2", &ends[0], 1);
    give(ends[1], "3", &tube[1], 1);
    close(tube[1]);
    close(ends[0]);
    is_open("one of a circle", tube[0]);
    close(ends[1]);
    is_open("the other one", tube[0]);
    close(socket(AF_UNIX, SOCK_STREAM, 0)); /* the end of a socket makes Linux look for circles */
    for (int i = 0; i < 100; i++) {
        struct pollfd one = {.fd = tube[0]};
        if (poll(&one, 1, 10) > 0)
            break;
    }
    is_open("the circle is lost", tube[0]);
    close(tube[0]);
}

static void errors(void)
{
    int ends[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    union control control = {0};
    struct iovec part = {"x", 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(4)};
    static const int cases[][4] = {
        {CMSG_LEN(4), SOL_SOCKET, SCM_RIGHTS, 1}, {CMSG_LEN(4), SOL_SOCKET, 77, 1},
        {CMSG_LEN(4), 5, SCM_RIGHTS, 1},          {CMSG_LEN(0), SOL_SOCKET, SCM_RIGHTS, 1},
        {4, SOL_SOCKET, SCM_RIGHTS, 1},           {CMSG_LEN(8), SOL_SOCKET, SCM_RIGHTS, 1},
        {CMSG_LEN(4), SOL_SOCKET, SCM_RIGHTS, -1},
    };
    for (int i = 0; i < 7; i++) {
        control.head = (struct cmsghdr){cases[i][0], cases[i][1], cases[i][2]};
        memcpy(CMSG_DATA(&control.head), &cases[i][3], 4);
        errno = 0;
        int sent = sendmsg(ends[0], &message, 0);
        printf("%d %s\n", sent, strerrorname_np(errno));
    }
    message.msg_controllen = 8;
    errno = 0;
    int sent = sendmsg(ends[0], &message, 0);
    printf("%d %s\n", sent, strerrorname_np(errno));
    /* No number is left for what arrives. */
    take(ends[1], 1, 64, 0, NULL);
    int three[] = {0, 1, 2}, got[8];
    while (read(ends[1], &control, 1) == 1 && recv(ends[1], &control, 1, MSG_DONTWAIT | MSG_PEEK) == 1)
        ;
    give(ends[0], "few", three, 3);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    struct rlimit lower = {ends[1] + 2, limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &lower);
    int count = take(ends[1], 8, 64, 0, got);
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < count; i++)
        close(got[i]);
    close(ends[1]);
    printf("%d\n", give(ends[0], "gone", three, 1));
    close(ends[0]);
}

/* The offset of a file is that of both, and the name of a message's sender comes with it. */
static void between_processes(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0passed"};
    int server = socket(AF_UNIX, SOCK_DGRAM, 0), tube[2], got[8];
    bind(server, (struct sockaddr *)&name, sizeof(short) + 7);
    pipe(tube);
    int child = fork();
    if (child == 0) {
        int client = socket(AF_UNIX, SOCK_DGRAM, 0);
        connect(client, (struct sockaddr *)&name, sizeof(short) + 7);
        int file = open("/tmp", O_TMPFILE | O_RDWR, 0600), other[2];
        (void)file;
        pipe(other);
        give(client, "end", &other[0], 1);
        write(other[1], "hello", 5);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    char text[16] = "";
    if (take(server, 8, 64, 0, got) == 1) {
        printf("%zd", read(got[0], text, sizeof text));
        printf(" %s", text);
        printf(" %zd\n", read(got[0], text, sizeof text));
        close(got[0]);
    }
    close(server);
}

/* A description that is on its way is watched. */
static void watched(void)
{
    int ends[2], tube[2], got[8], watcher = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 5};
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
    pipe(tube);
    epoll_ctl(watcher, EPOLL_CTL_ADD, tube[0], &event);
    give(ends[0], "r", &tube[0], 1);
    close(tube[0]);
    write(tube[1], "x", 1);
    printf("%d\n", epoll_wait(watcher, &event, 1, 0));
    take(ends[1], 4, 64, 0, got);
    printf("%d\n", epoll_wait(watcher, &event, 1, 0));
    close(got[0]);
    printf("%d\n", epoll_wait(watcher, &event, 1, 0));
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    close_range(3, 100, 0);
    sizes(SOCK_STREAM);
    sizes(SOCK_DGRAM);
    sizes(SOCK_SEQPACKET);
    boundaries();
    for (int how = 0; how < 4; how++) {
        keeping(SOCK_STREAM, how);
        keeping(SOCK_DGRAM, how);
        keeping(SOCK_SEQPACKET, how);
    }
    circle();
    errors();
    between_processes();
    watched();
    return 0;
}
