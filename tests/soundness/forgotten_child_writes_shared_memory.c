// steam: expect=assert
/* A process that ignores SIGCHLD is not told of the ends of its children, and they are in no order with
 * what it does. */
#include <assert.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    volatile int *word =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    signal(SIGCHLD, SIG_IGN);
    if (fork() == 0) {
        *word = 1;
        _exit(0);
    }
    sleep(1);
    assert(*word == 1);
    return 0;
}
