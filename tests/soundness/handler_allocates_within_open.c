// steam: expect=async-signal-unsafe
/* A handler allocates, and may come while a stream is opened, which allocates too. */
#include <signal.h>
#include <stdio.h>
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
    signal(SIGALRM, handle);
    alarm(1);
    FILE *file = fopen("/dev/null", "r");
    return file == NULL;
}
