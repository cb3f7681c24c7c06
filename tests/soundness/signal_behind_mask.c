// steam: expect=none
/* A signal that was blocked before there was anybody to send it does nothing. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, 0);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    int status;
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    assert(WIFEXITED(status));
}
