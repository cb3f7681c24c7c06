// steam: expect=none
/* Who waits for a child that its timer ends goes on then. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        alarm(1);
        for (;;)
            pause();
    }
    assert(waitpid(child, &status, 0) == child);
    assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
    return 0;
}
