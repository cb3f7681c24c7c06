// steam: expect=assert
/* The other process may have ended before it is told anything. */
#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (fork() == 0)
        _exit(0);
    close(ends[1]);
    assert(send(ends[0], "x", 1, MSG_NOSIGNAL) == 1); /* ERROR */
    return 0;
}
