// steam: expect=deadlock
/* Who is told to go on before it stops does not go on. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        _exit(0);
    }
    kill(child, SIGCONT);
    waitpid(child, 0, 0);
    return 0;
}
