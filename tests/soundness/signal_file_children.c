// steam: expect=assert
/* Who reads that a child has ended may have to wait for two of them. */
#include <assert.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, 0);
    int signals = signalfd(-1, &set, 0);
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            _exit(0);
    struct signalfd_siginfo record;
    read(signals, &record, sizeof record);
    assert(waitpid(-1, 0, WNOHANG) > 0);
    assert(waitpid(-1, 0, WNOHANG) == 0); /* ERROR */
    return 0;
}
