/* Which signals end a wait for them: blocked ones, and not those that do nothing and are not blocked. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void wait_for_child(const sigset_t *set)
{
    struct timespec limit = {0, 50000000};
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    int result = sigtimedwait(set, NULL, &limit);
    printf("%d %d\n", result, result < 0 ? errno == EAGAIN : 0);
    fflush(stdout);
    waitpid(child, NULL, 0);
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    wait_for_child(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    wait_for_child(&set);
    return 0;
}
