// steam: expect=assert
/* What the handler of the first child's end writes is in the memory of the second child, or is not. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stage, seen;

static void handle(int number)
{
    (void)number;
    seen = stage;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGCHLD, &action, 0);
    if (fork() == 0)
        _exit(0);
    stage = 1;
    pid_t child = fork();
    if (child == 0) {
        assert(seen == 0); /* ERROR */
        _exit(0);
    }
    waitpid(child, 0, 0);
}
