// steam: expect=none
/* Two waits of two processes move the clock, each as far as it lasts. */
#include <assert.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte;
    time_t start = time(0);
    assert(pipe(ends) == 0);
    if (fork() == 0) {
        sleep(2);
        _exit(write(ends[1], "x", 1) != 1);
    }
    struct pollfd end = {ends[0], POLLIN, 0};
    int ready = poll(&end, 1, 500);
    assert(ready == 0 || ready == 1);
    assert(read(ends[0], &byte, 1) == 1);
    wait(0);
    assert(time(0) - start >= 2);
    return 0;
}
