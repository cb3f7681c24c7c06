// steam: expect=async-signal-unsafe,deadlock
/* A handler flushes all streams, and may come while one of them is written; or at the end of the program, between the
   moment at which the library takes the lock of all streams and the one at which it notes who has it. */
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
