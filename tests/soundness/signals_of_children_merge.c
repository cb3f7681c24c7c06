// steam: expect=assert
/* Two children end before the first signal is taken: there is one signal. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void count(int unused)
{
    (void)unused;
    signals++;
}

int main(void)
{
    int ended = 0;
    signal(SIGCHLD, count);
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            _exit(0);
    while (ended < 2)
        if (wait(0) > 0)
            ended++;
    assert(signals == 2);
}
