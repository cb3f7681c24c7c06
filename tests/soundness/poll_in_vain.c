// steam: expect=assert
/* The time of a poll may be over before anything comes. */
#include <assert.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (fork() == 0) {
        write(ends[1], "x", 1);
        _exit(0);
    }
    struct pollfd one = {ends[0], POLLIN, 0};
    assert(poll(&one, 1, 1000) == 1); /* ERROR */
    return 0;
}
