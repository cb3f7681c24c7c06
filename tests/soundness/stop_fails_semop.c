// steam: expect=none
/* A stop ends a wait for semaphores with EINTR, and lets one for a message go on. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int set = semget(IPC_PRIVATE, 1, 0600), status, ends[2];
    struct sembuf down = {0, -1, 0};
    if (pipe(ends) != 0)
        return 1;
    pid_t child = fork();
    if (child == 0) {
        char letter = 0;
        if (semop(set, &down, 1) != 0)
            assert(errno == EINTR);
        assert(read(ends[0], &letter, 1) == 1 && letter == 'x');
        _exit(0);
    }
    kill(child, SIGSTOP);
    waitpid(child, &status, WUNTRACED);
    assert(WIFSTOPPED(status));
    semctl(set, 0, SETVAL, 1);
    kill(child, SIGCONT);
    assert(write(ends[1], "x", 1) == 1);
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    semctl(set, 0, IPC_RMID);
    return 0;
}
