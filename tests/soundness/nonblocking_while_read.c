// steam: expect=deadlock
/* Who waits already is not woken by that. */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    pipe(ends);
    if (fork() == 0) {
        char byte;
        read(ends[0], &byte, 1);
        _exit(0);
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    wait(0);
}
