// steam: expect=none
/* A child that writes to a pipe which nobody reads ends by that, which its parent is told. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2], status;
    pipe(ends);
    close(ends[0]);
    pid_t child = fork();
    if (child == 0) {
        write(ends[1], "x", 1);
        _exit(0);
    }
    assert(waitpid(child, &status, 0) == child);
    assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}
