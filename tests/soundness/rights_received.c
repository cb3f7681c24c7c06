// steam: expect=none with=rights.h
/* The writing end of a pipe is received and closed, and then all ends of it are: what is written has an end. */
#include <sys/wait.h>
#include <unistd.h>

#include "rights.h"

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
    int writer = take(ends[1]);
    write(writer, "y", 1);
    close(writer);
    while (read(tube[0], &byte, 1) > 0)
        ;
    wait(NULL);
    return 0;
}
