// steam: expect=none
/* A process that sleeps again and again, and has no handler, is ended by another one. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        for (;;)
            sleep(1);
    kill(child, SIGTERM);
    assert(waitpid(child, &status, 0) == child);
    assert(WIFSIGNALED(status));
}
