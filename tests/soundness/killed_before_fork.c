// steam: expect=deadlock
/* A child may end its parent before there is the second child, for which the first one waits. */
#include <signal.h>
#include <unistd.h>

int main(void)
{
    int ends[2], parent = getpid();
    char byte;
    pipe(ends);
    if (fork() == 0) {
        kill(parent, SIGTERM);
        read(ends[0], &byte, 1); /* ERROR */
        _exit(0);
    }
    if (fork() == 0) {
        write(ends[1], "x", 1);
        _exit(0);
    }
    for (;;)
        pause();
}
