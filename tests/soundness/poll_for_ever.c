// steam: expect=deadlock
/* Nobody is left who could say anything, but for the one who waits. */
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (fork() == 0) {
        write(ends[1], "x", 1);
        _exit(0);
    }
    struct pollfd one = {ends[0], POLLIN, 0};
    for (int i = 0; i < 2; i++) {
        poll(&one, 1, -1); /* ERROR */
        read(ends[0], &byte, 1);
    }
    wait(NULL);
    return 0;
}
