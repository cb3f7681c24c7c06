// steam: expect=assert
/* A plain read drops the descriptor that came with its byte: the pipe has its end then, whoever is first. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void give(int to, int descriptor)
{
    union { struct cmsghdr head; char space[CMSG_SPACE(sizeof(int))]; } control = {0};
    struct iovec part = {"x", 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    control.head = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &descriptor, sizeof(int));
    sendmsg(to, &message, 0);
}

static int __attribute__((unused)) take(int from)
{
    union { struct cmsghdr head; char space[CMSG_SPACE(sizeof(int))]; } control;
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    int descriptor = -1;
    if (recvmsg(from, &message, 0) == 1 && CMSG_FIRSTHDR(&message))
        memcpy(&descriptor, CMSG_DATA(&control.head), sizeof(int));
    return descriptor;
}

static int ends[2], tube[2];

static void *drop(void *unused)
{
    char byte;
    read(ends[1], &byte, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pipe(tube);
    give(ends[0], tube[0]);
    close(tube[0]);
    pthread_create(&thread, NULL, drop, NULL);
    signal(SIGPIPE, SIG_IGN);
    assert(write(tube[1], "x", 1) == 1); /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
