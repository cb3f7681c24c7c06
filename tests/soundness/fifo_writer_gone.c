// steam: expect=none
/* Who waits at a fifo is let in by a writer that is gone before it goes on. */
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char byte;
    assert(mkfifo("/tmp/fifo", 0600) == 0);
    if (fork() == 0) {
        int end = open("/tmp/fifo", O_WRONLY);
        assert(write(end, "x", 1) == 1);
        _exit(0);
    }
    int end = open("/tmp/fifo", O_RDONLY);
    assert(read(end, &byte, 1) == 1 && byte == 'x');
    assert(read(end, &byte, 1) == 0);
    wait(0);
    return 0;
}
