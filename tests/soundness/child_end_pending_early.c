// steam: expect=assert
/* A child may end before its parent looks for the signal that tells it, or after. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, 0);
    if (fork() == 0)
        _exit(0);
    sigpending(&pending);
    wait(0);
    assert(!sigismember(&pending, SIGCHLD)); /* ERROR */
}
