/* Sockets: pairs, UNIX names, connections, messages, options. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include "call.h"

static char text[64];
static char big[300000];

static void show(int count)
{
    printf("%d: %.*s\n", count, count > 0 ? count : 0, text);
}

static void ready(int descriptor)
{
    struct pollfd one = {descriptor, POLLIN | POLLOUT | POLLRDHUP | POLLPRI, 0};
    int count = poll(&one, 1, 0);
    printf("ready %d %x\n", count, one.revents);
}

static struct sockaddr_un named(const char *name, socklen_t *size)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, name);
    *size = offsetof(struct sockaddr_un, sun_path) + strlen(name) + 1;
    return address;
}

static void pairs(int type)
{
    int ends[2];
    struct stat status;
    printf("type %d\n", type);
    CALL(socketpair(AF_UNIX, type, 0, ends));
    CALL(fstat(ends[0], &status));
    printf("%o\n", status.st_mode & S_IFMT);
    ready(ends[0]);
    CALL(write(ends[0], "hello", 5));
    CALL(send(ends[0], " you", 4, 0));
    ready(ends[1]);
    int waiting;
    CALL(ioctl(ends[1], FIONREAD, &waiting));
    printf("%d\n", waiting);
    show(recv(ends[1], text, 3, MSG_PEEK));
    show(read(ends[1], text, 3));
    show(read(ends[1], text, sizeof text));
    CALL(recv(ends[1], text, sizeof text, MSG_DONTWAIT));
    struct iovec parts[2] = {{"gath", 4}, {"ered", 4}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    CALL(sendmsg(ends[1], &message, 0));
    char one[3] = "", two[20] = "";
    struct iovec rooms[2] = {{one, 2}, {two, 3}};
    message = (struct msghdr){.msg_iov = rooms, .msg_iovlen = 2};
    CALL(recvmsg(ends[0], &message, 0));
    printf("%s %s %x\n", one, two, message.msg_flags);
    CALL(recv(ends[0], text, 20, MSG_DONTWAIT));
    CALL(fcntl(ends[0], F_SETFL, O_NONBLOCK));
    CALL(read(ends[0], text, 20));
    long count = 0, total = 0;
    for (int sent; (sent = write(ends[0], big, 3000)) > 0; total += sent)
        count++;
    printf("%ld %ld %s\n", count, total, strerror(errno));
    ready(ends[0]);
    CALL(send(ends[0], big, sizeof big, 0));
    close(ends[1]);
    ready(ends[0]);
    CALL(write(ends[0], "x", 1));
    CALL(read(ends[0], text, 1));
    CALL(read(ends[0], text, 1));
    CALL(write(ends[0], "x", 1));
    close(ends[0]);
}

static void endings(void)
{
    int ends[2];
    CALL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
    CALL(fcntl(ends[0], F_GETFD));
    CALL(write(ends[0], "last", 4));
    CALL(shutdown(ends[0], SHUT_WR));
    CALL(write(ends[0], "x", 1));
    CALL(send(ends[0], "x", 1, MSG_NOSIGNAL));
    ready(ends[1]);
    show(recv(ends[1], text, 4, MSG_WAITALL));
    CALL(recv(ends[1], text, 4, MSG_WAITALL));
    CALL(write(ends[1], "back", 4));
    show(read(ends[0], text, 9));
    CALL(shutdown(ends[0], SHUT_RD));
    ready(ends[1]);
    CALL(write(ends[1], "x", 1));
    CALL(read(ends[0], text, 1));
    CALL(shutdown(ends[0], 7));
    close(ends[0]);
    close(ends[1]);
    CALL(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends));
    CALL(send(ends[0], "", 0, 0));
    CALL(send(ends[0], "long one", 8, MSG_EOR));
    CALL(recv(ends[1], text, 9, 0));
    CALL(recv(ends[1], text, 4, MSG_TRUNC));
    close(ends[0]);
    CALL(recv(ends[1], text, 4, 0));
    close(ends[1]);
}

static void *client(void *path)
{
    socklen_t size;
    struct sockaddr_un address = named(path, &size);
    int own = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(own, (struct sockaddr *)&address, size))
        perror("connect");
    write(own, "request", 7);
    shutdown(own, SHUT_WR);
    char answer[20];
    int count = recv(own, answer, sizeof answer, MSG_WAITALL);
    printf("client has %.*s\n", count, answer);
    close(own);
    return NULL;
}

static void server(char *path)
{
    socklen_t size;
    struct sockaddr_un address = named(path, &size), other;
    int own = socket(AF_UNIX, SOCK_STREAM, 0), flag;
    unlink(path);
    ready(own);
    CALL(connect(own, (struct sockaddr *)&address, size));
    CALL(listen(own, 1));
    CALL(bind(own, (struct sockaddr *)&address, size));
    CALL(bind(own, (struct sockaddr *)&address, size));
    CALL(connect(own, (struct sockaddr *)&address, size));
    CALL(accept(own, NULL, NULL));
    CALL(read(own, text, 1));
    CALL(write(own, text, 1));
    CALL(listen(own, 1));
    struct stat status;
    CALL(stat(path, &status));
    printf("%o\n", status.st_mode & S_IFMT);
    CALL(open(path, O_RDWR));
    socklen_t room = sizeof other;
    CALL(getsockname(own, (struct sockaddr *)&other, &room));
    printf("%d %s\n", (int)(room == size), other.sun_path);
    CALL(getpeername(own, (struct sockaddr *)&other, &room));
    room = sizeof flag;
    CALL(getsockopt(own, SOL_SOCKET, SO_ACCEPTCONN, &flag, &room));
    printf("%d\n", flag);
    ready(own);
    pthread_t thread;
    pthread_create(&thread, NULL, client, path);
    room = sizeof other;
    int peer = accept4(own, (struct sockaddr *)&other, &room, SOCK_CLOEXEC);
    printf("accepted, address %d\n", (int)room);
    show(read(peer, text, 7));
    CALL(read(peer, text, 1));
    CALL(write(peer, "an", 2));
    CALL(write(peer, "swer", 4));
    room = sizeof other;
    CALL(getsockname(peer, (struct sockaddr *)&other, &room));
    printf("%s\n", other.sun_path);
    close(peer);
    pthread_join(thread, NULL);
    int first = socket(AF_UNIX, SOCK_STREAM, 0), second = socket(AF_UNIX, SOCK_STREAM, 0);
    int third = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int other_kind = socket(AF_UNIX, SOCK_DGRAM, 0);
    CALL(connect(first, (struct sockaddr *)&address, size));
    CALL(connect(first, (struct sockaddr *)&address, size));
    CALL(connect(second, (struct sockaddr *)&address, size));
    CALL(connect(third, (struct sockaddr *)&address, size));
    CALL(connect(other_kind, (struct sockaddr *)&address, size));
    ready(own);
    CALL(write(first, "early", 5));
    peer = accept(own, NULL, NULL);
    show(read(peer, text, 9));
    CALL(getpeername(first, (struct sockaddr *)&other, &room));
    close(own);
    ready(second);
    CALL(read(second, text, 1));
    CALL(read(second, text, 1));
    CALL(write(peer, "still", 5));
    show(read(first, text, 9));
    CALL(connect(third, (struct sockaddr *)&address, size));
    own = socket(AF_UNIX, SOCK_STREAM, 0);
    CALL(bind(own, (struct sockaddr *)&address, size));
    CALL(unlink(path));
    CALL(connect(third, (struct sockaddr *)&address, size));
    CALL(bind(own, (struct sockaddr *)&address, size));
    for (int it = first; it <= own; it++)
        close(it);
}

static void letters(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX}, other;
    memcpy(address.sun_path, "\0steam-letters", 14);
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + 14, room = sizeof other;
    int box = socket(AF_UNIX, SOCK_DGRAM, 0), sender = socket(AF_UNIX, SOCK_DGRAM, 0);
    CALL(bind(box, (struct sockaddr *)&address, size));
    CALL(bind(sender, (struct sockaddr *)&address, size));
    CALL(listen(box, 1));
    CALL(send(sender, "x", 1, 0));
    CALL(sendto(sender, "one", 3, 0, (struct sockaddr *)&address, size));
    CALL(connect(sender, (struct sockaddr *)&address, size));
    CALL(send(sender, "two", 3, 0));
    CALL(recvfrom(box, text, sizeof text, 0, (struct sockaddr *)&other, &room));
    printf("%d\n", (int)room);
    address.sun_path[1] = 'S';
    CALL(bind(sender, (struct sockaddr *)&address, size));
    CALL(send(sender, "three", 5, 0));
    show(recv(box, text, sizeof text, 0));
    room = sizeof other;
    CALL(recvfrom(box, text, 2, 0, (struct sockaddr *)&other, &room));
    printf("%d %.*s\n", (int)room, (int)room - 3, other.sun_path + 1);
    CALL(recv(box, text, 2, MSG_DONTWAIT));
    int count = 0;
    while (send(sender, "full", 4, MSG_DONTWAIT) == 4)
        count++;
    printf("%d %s\n", count, strerror(errno));
    ready(sender);
    ready(box);
    close(box);
    CALL(send(sender, "x", 1, 0));
    CALL(send(sender, "x", 1, 0));
    close(sender);
}

static void children(void)
{
    int ends[2], status;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        int sum = 0, number;
        while (read(ends[1], &number, sizeof number) == sizeof number)
            sum += number;
        write(ends[1], &sum, sizeof sum);
        _exit(3);
    }
    close(ends[1]);
    for (int i = 1; i <= 10; i++)
        write(ends[0], &i, sizeof i);
    shutdown(ends[0], SHUT_WR);
    int sum = 0;
    CALL(read(ends[0], &sum, sizeof sum));
    CALL(read(ends[0], &status, sizeof status));
    waitpid(child, &status, 0);
    printf("sum %d, status %d\n", sum, WEXITSTATUS(status));
    close(ends[0]);
}

static void *drain(void *unused)
{
    int descriptor = *(int *)unused;
    long total = 0;
    for (int count; (count = read(descriptor, text, sizeof text)) > 0;)
        total += count;
    printf("drained %ld\n", total);
    return NULL;
}

static void options(void)
{
    int ends[2], value = 1;
    socklen_t size = sizeof value;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    CALL(getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &value, &size));
    printf("%d\n", value);
    CALL(getsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &value, &size));
    printf("%d\n", value);
    struct timeval soon = {0, 20000};
    CALL(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon));
    CALL(read(ends[0], text, 1));
    struct ucred who;
    size = sizeof who;
    CALL(getsockopt(ends[0], SOL_SOCKET, SO_PEERCRED, &who, &size));
    printf("%d\n", who.pid == getpid());
    CALL(getsockopt(0, SOL_SOCKET, SO_TYPE, &value, &size));
    CALL(lseek(ends[0], 0, SEEK_SET));
    pthread_t thread;
    pthread_create(&thread, NULL, drain, &ends[1]);
    CALL(write(ends[0], big, sizeof big));
    close(ends[0]);
    pthread_join(thread, NULL);
    close(ends[1]);
    CALL(send(1, "x", 1, 0));
    CALL(socket(AF_UNIX, SOCK_STREAM, 9));
    CALL(socketpair(AF_INET, SOCK_STREAM, 0, ends));
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    pairs(SOCK_STREAM);
    pairs(SOCK_SEQPACKET);
    endings();
    char path[60];
    sprintf(path, "/tmp/steam-socket-test");
    server(path);
    letters();
    children();
    options();
    return 0;
}
