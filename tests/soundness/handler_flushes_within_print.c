// steam: expect=async-signal-unsafe
/* A handler flushes all streams, and may come while one of them is written. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void handle(int signal)
{
    (void)signal;
    fflush(NULL);
}

int main(void)
{
    signal(SIGALRM, handle);
    alarm(1);
    puts("text");
    return 0;
}
