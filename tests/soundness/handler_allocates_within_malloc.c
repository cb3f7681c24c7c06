// steam: expect=async-signal-unsafe
/* A timer goes off while the only thread allocates, and its handler does so too. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void *volatile kept;

static void handle(int signal)
{
    (void)signal;
    kept = malloc(8);
}

int main(void)
{
    void *volatile own;
    signal(SIGALRM, handle);
    alarm(1);
    own = malloc(16);
    free(own);
    return 0;
}
