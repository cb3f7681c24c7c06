// steam: expect=assert
/* A signal may come before the child blocks it, and after. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork();
    if (child == 0) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigprocmask(SIG_BLOCK, &set, 0);
        _exit(0);
    }
    int status;
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    assert(WIFEXITED(status)); /* ERROR */
}
