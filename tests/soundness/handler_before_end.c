// steam: expect=assert
/* A child ends after the last write of its parent, and the parent has a handler for that. */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile int last;

static void handle(int number)
{
    (void)number;
    assert(last == 0); /* ERROR */
}

int main(void)
{
    signal(SIGCHLD, handle);
    if (fork() == 0)
        _exit(0);
    last = 1;
    _exit(0);
}
