// steam: error=uninitialised
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

__attribute__((noipa)) static void fill(char *text) {
    text[1] = 'b';
}

int main(void) {
    int ends[2];
    char first[3] = "abc", second[2];
    struct iovec parts[2] = {{first, 3}, {second, 2}};
    struct msghdr message;
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    fill(second);
    memset(&message, 0, sizeof message);
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    sendmsg(ends[0], &message, 0); /* ERROR */
    return 0;
}
