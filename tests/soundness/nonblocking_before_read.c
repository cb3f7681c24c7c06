// steam: expect=assert
/* A description that processes share lets nobody wait any more: who reads later gets EAGAIN. */
#include <assert.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    pipe(ends);
    if (fork() == 0) {
        char byte;
        assert(read(ends[0], &byte, 1) == 1);
        _exit(0);
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    write(ends[1], "a", 1);
    wait(0);
}
