// steam: expect=assert
/* Two threads receive from one socket: who gets which descriptor is not known, and each gets one. */
#include <assert.h>
#include <pthread.h>
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

static int ends[2], tube[2][2], got[2];

static void *receive(void *number)
{
    got[(long)number] = take(ends[1]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    char byte;
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    for (long i = 0; i < 2; i++) {
        pipe(tube[i]);
        give(ends[0], tube[i][1]);
        close(tube[i][1]);
        pthread_create(&threads[i], NULL, receive, (void *)i);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(got[0] >= 0 && got[1] >= 0 && got[0] != got[1]);
    write(got[0], "0", 1);
    write(got[1], "1", 1);
    read(tube[0][0], &byte, 1);
    assert(byte == '0'); /* ERROR */
    return 0;
}
