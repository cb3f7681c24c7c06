// steam: expect=none
/* Who was stopped can be killed, takes no other signal, and one that was not taken is taken afterwards. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void leave(int number)
{
    (void)number;
    _exit(7);
}

int main(void)
{
    int status;
    signal(SIGTERM, leave);
    for (int last = 0; last < 2; last++) {
        pid_t child = fork();
        if (child == 0) {
            raise(SIGSTOP);
            for (;;)
                pause();
        }
        assert(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
        kill(child, SIGTERM);
        assert(waitpid(child, &status, WNOHANG) == 0);
        kill(child, last == 0 ? SIGKILL : SIGCONT);
        assert(waitpid(child, &status, 0) == child);
        if (last == 0)
            assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        else
            assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    return 0;
}
