// steam: expect=assert with=signal_file.h
/* Who reads that a child has ended may have to wait for two of them. */
#include <assert.h>
#include <sys/wait.h>

#include "signal_file.h"

int main(void)
{
    int signals = signal_file(SIGCHLD, 0);
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            _exit(0);
    next_signal(signals);
    assert(waitpid(-1, 0, WNOHANG) > 0);
    assert(waitpid(-1, 0, WNOHANG) == 0); /* ERROR */
    return 0;
}
