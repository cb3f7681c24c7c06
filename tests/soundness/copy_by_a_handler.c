// steam: expect=assert
/* A handler copies its process between two writes of what it interrupts. */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile int mine;

static void copies(int signal)
{
    (void)signal;
    if (fork() == 0) {
        assert(mine != 1);
        _exit(0);
    }
}

int main(void)
{
    signal(SIGALRM, copies);
    alarm(1);
    mine = 1;
    mine = 2;
    return 0;
}
