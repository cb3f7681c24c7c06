// steam: error=none
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* What is sent was written; what lies after it was not. */
int main(void) {
    int ends[2];
    char text[8];
    struct iovec part = {text, 4};
    struct msghdr message;
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    memset(text, 'a', 4);
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    send(ends[0], text, 4, 0);
    sendto(ends[0], text, 4, 0, 0, 0);
    sendmsg(ends[0], &message, 0);
    return 0;
}
