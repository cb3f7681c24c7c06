/* TCP and UDP on the loopback interface. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
#include "call.h"

static char text[64];

static void show(int count)
{
    printf("%d: %.*s\n", count, count > 0 ? count : 0, text);
}

/* What a socket is ready for, once the other end had time to tell. */
static void ready(int descriptor)
{
    usleep(2000);
    struct pollfd one = {descriptor, POLLIN | POLLOUT | POLLRDHUP, 0};
    int count = poll(&one, 1, 0);
    printf("ready %d %x\n", count, one.revents);
}

static struct sockaddr_in local(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/* A socket that listens, and its address. */
static int listener(struct sockaddr_in *address)
{
    int own = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    socklen_t size = sizeof *address;
    *address = local(0);
    CALL(setsockopt(own, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
    CALL(bind(own, (struct sockaddr *)address, size));
    CALL(listen(own, 5));
    CALL(getsockname(own, (struct sockaddr *)address, &size));
    printf("%s %d\n", inet_ntoa(address->sin_addr), address->sin_port != 0);
    return own;
}

static void *echo(void *unused)
{
    int own = *(int *)unused;
    int peer = accept(own, NULL, NULL);
    char bytes[16];
    for (int count; (count = read(peer, bytes, sizeof bytes)) > 0;)
        write(peer, bytes, count);
    close(peer);
    return NULL;
}

static void streams(void)
{
    struct sockaddr_in address, other;
    socklen_t size = sizeof address;
    int own = listener(&address), on = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, echo, &own);
    int client = socket(AF_INET, SOCK_STREAM, 0);
    ready(client);
    CALL(connect(client, (struct sockaddr *)&address, size));
    CALL(connect(client, (struct sockaddr *)&address, size));
    CALL(setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
    CALL(write(client, "hello, world", 12));
    show(recv(client, text, 12, MSG_WAITALL));
    CALL(getpeername(client, (struct sockaddr *)&other, &size));
    printf("%d\n", other.sin_port == address.sin_port);
    CALL(shutdown(client, SHUT_WR));
    CALL(read(client, text, 1));
    ready(client);
    CALL(send(client, "x", 1, MSG_NOSIGNAL));
    pthread_join(thread, NULL);
    close(client);
    close(own);
    client = socket(AF_INET, SOCK_STREAM, 0);
    CALL(connect(client, (struct sockaddr *)&address, size));
    close(client);
}

static void connected(int *one, int *other)
{
    struct sockaddr_in address;
    int own = listener(&address);
    *one = socket(AF_INET, SOCK_STREAM, 0);
    CALL(connect(*one, (struct sockaddr *)&address, sizeof address));
    ready(own);
    *other = accept(own, NULL, NULL);
    close(own);
}

static void endings(void)
{
    int one, other;
    connected(&one, &other);
    close(other);
    ready(one);
    CALL(read(one, text, 1));
    CALL(write(one, "lost", 4));
    usleep(2000);
    CALL(write(one, "broken", 6));
    CALL(read(one, text, 1));
    ready(one);
    close(one);
    connected(&one, &other);
    CALL(write(one, "unread", 6));
    CALL(write(other, "kept", 4));
    usleep(2000);
    close(other);
    ready(one);
    show(read(one, text, 9));
    CALL(read(one, text, 9));
    CALL(read(one, text, 9));
    CALL(send(one, "x", 1, MSG_NOSIGNAL));
    close(one);
    connected(&one, &other);
    CALL(write(one, "unread", 6));
    usleep(2000);
    close(other);
    usleep(2000);
    CALL(write(one, "x", 1));
    CALL(write(one, "x", 1));
    CALL(read(one, text, 9));
    close(one);
    one = socket(AF_INET, SOCK_STREAM, 0);
    CALL(read(one, text, 1));
    CALL(write(one, text, 1));
    CALL(shutdown(one, SHUT_WR));
    CALL(accept(one, NULL, NULL));
    close(one);
}

static void without_waiting(void)
{
    struct sockaddr_in address;
    int own = listener(&address), error;
    socklen_t size = sizeof error;
    CALL(fcntl(own, F_SETFL, O_NONBLOCK));
    CALL(accept(own, NULL, NULL));
    int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    CALL(connect(client, (struct sockaddr *)&address, sizeof address));
    ready(client);
    CALL(getsockopt(client, SOL_SOCKET, SO_ERROR, &error, &size));
    printf("%d\n", error);
    CALL(connect(client, (struct sockaddr *)&address, sizeof address));
    CALL(connect(client, (struct sockaddr *)&address, sizeof address));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(own, &set);
    CALL(select(own + 1, &set, NULL, NULL, NULL));
    int peer = accept4(own, NULL, NULL, SOCK_NONBLOCK);
    CALL(read(peer, text, 1));
    CALL(write(client, "now", 3));
    ready(peer);
    show(read(peer, text, 9));
    close(own);
    close(peer);
    close(client);
    client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    CALL(connect(client, (struct sockaddr *)&address, sizeof address));
    ready(client);
    CALL(getsockopt(client, SOL_SOCKET, SO_ERROR, &error, &size));
    printf("%s\n", strerror(error));
    close(client);
}

static void datagrams(void)
{
    int own = socket(AF_INET, SOCK_DGRAM, 0), sender = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in address = local(0), from;
    socklen_t size = sizeof address;
    CALL(send(sender, "x", 1, 0));
    CALL(bind(own, (struct sockaddr *)&address, size));
    CALL(getsockname(own, (struct sockaddr *)&address, &size));
    CALL(sendto(sender, "datagram", 8, 0, (struct sockaddr *)&address, size));
    ready(own);
    CALL(recvfrom(own, text, 4, 0, (struct sockaddr *)&from, &size));
    printf("%s %d\n", inet_ntoa(from.sin_addr), (int)size);
    CALL(recv(own, text, 4, MSG_DONTWAIT));
    CALL(connect(sender, (struct sockaddr *)&address, size));
    CALL(send(sender, "", 0, 0));
    CALL(recv(own, text, 4, 0));
    CALL(sendto(own, "back", 4, 0, (struct sockaddr *)&from, size));
    show(recv(sender, text, sizeof text, 0));
    ready(own);
    CALL(bind(sender, (struct sockaddr *)&address, size));
    close(own);
    CALL(send(sender, "nobody", 6, 0));
    ready(sender);
    CALL(send(sender, "nobody", 6, 0));
    CALL(listen(sender, 1));
    close(sender);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    streams();
    endings();
    without_waiting();
    datagrams();
    CALL(socket(AF_INET, SOCK_STREAM, 17));
    CALL(socket(AF_INET, SOCK_SEQPACKET, 0));
    return 0;
}
