// steam: expect=deadlock with=rights.h
/* The writing end of a pipe that nobody has received is open: who waits for the end of what is written waits for ever. */
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
    while (read(tube[0], &byte, 1) > 0)
        ;
    wait(NULL);
    return 0;
}
