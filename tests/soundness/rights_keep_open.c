// steam: expect=deadlock
/* The writing end of a pipe that nobody has received is open: who waits for the end of what is written waits for ever. */
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

static int take(int from)
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

int main(void)
{
    int ends[2], tube[2];
    char byte;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pipe(tube);
    if (fork() == 0) {
        close(ends[1]);
        close(tube[0]);
        give(ends[0], tube[1]);
        _exit(0);
    }
    close(tube[1]);
    (void)take;
    while (read(tube[0], &byte, 1) > 0)
        ;
    wait(NULL);
    return 0;
}
