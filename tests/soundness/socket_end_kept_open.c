// steam: expect=deadlock
/* The reader never sees the end: it has the other end open itself. */
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (fork() == 0) {
        while (read(ends[1], &byte, 1) > 0) /* ERROR */
            ;
        _exit(0);
    }
    write(ends[0], "x", 1);
    close(ends[0]);
    wait(NULL);
    return 0;
}
