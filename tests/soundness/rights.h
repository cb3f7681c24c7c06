/* A descriptor that goes over a UNIX socket, with one byte. */
#include <string.h>
#include <sys/socket.h>

union rights {
    struct cmsghdr head;
    char space[CMSG_SPACE(sizeof(int))];
};

static void give(int to, int descriptor)
{
    union rights control = {.head = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    struct iovec part = {"x", 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.head), &descriptor, sizeof(int));
    sendmsg(to, &message, 0);
}

/* The descriptor that comes next, or -1 where a byte comes without one. */
static inline int take(int from)
{
    union rights control;
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    int descriptor = -1;
    if (recvmsg(from, &message, 0) == 1 && CMSG_FIRSTHDR(&message))
        memcpy(&descriptor, CMSG_DATA(&control.head), sizeof(int));
    return descriptor;
}
