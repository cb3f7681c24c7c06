// steam: expect=deadlock
/* Who opens an end of a fifo waits for the other end: two that begin with different ones wait for ever. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    mkfifo("/tmp/to", 0600);
    mkfifo("/tmp/from", 0600);
    if (fork() == 0) {
        open("/tmp/from", O_WRONLY);
        open("/tmp/to", O_RDONLY);
        _exit(0);
    }
    open("/tmp/to", O_WRONLY);
    open("/tmp/from", O_RDONLY);
    wait(0);
    return 0;
}
