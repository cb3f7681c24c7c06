// steam: expect=assert
/* A handler ends a sleep before its time. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void take(int signal)
{
    (void)signal;
}

int main(void)
{
    struct sigaction action = {.sa_handler = take};
    pid_t parent = getpid();
    sigaction(SIGUSR1, &action, 0);
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        _exit(0);
    }
    assert(sleep(2) == 0); /* ERROR */
    while (wait(0) < 0 && errno == EINTR)
        ;
}
