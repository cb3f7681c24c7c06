// steam: expect=none
/* What becomes of a signal for which a process waits and which it does not block: one that ends it does, blocked ones
 * and those with a handler end the wait. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void handle(int signal)
{
    (void)signal;
    _exit(99);
}

int main(void)
{
    sigset_t set;
    int status, ready[2];
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pid_t child = fork();
    if (child == 0) {
        sigwaitinfo(&set, 0);
        assert(0);
    }
    kill(child, SIGUSR1);
    waitpid(child, &status, 0);
    assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    child = fork();
    if (child == 0)
        _exit(sigwaitinfo(&set, 0));
    kill(child, SIGUSR1);
    waitpid(child, &status, 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == SIGUSR1);
    pipe(ready);
    child = fork();
    if (child == 0) {
        signal(SIGUSR1, handle);
        sigprocmask(SIG_UNBLOCK, &set, 0);
        write(ready[1], "", 1);
        _exit(sigwaitinfo(&set, 0));
    }
    read(ready[0], &(char){0}, 1);
    kill(child, SIGUSR1);
    waitpid(child, &status, 0);
    assert(WIFEXITED(status) && (WEXITSTATUS(status) == SIGUSR1 || WEXITSTATUS(status) == 99));
}
