// steam: expect=none
/* Who waits at a set that is removed does not wait at the next one, which has another number. */
#include <assert.h>
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    struct sembuf take = {0, -1, 0};
    int old = semget(IPC_PRIVATE, 1, 0600);
    pid_t child = fork();
    if (child == 0) {
        int taken = semop(old, &take, 1);
        assert(taken == -1 && (errno == EIDRM || errno == EINVAL));
        _exit(0);
    }
    semctl(old, 0, IPC_RMID);
    int new = semget(IPC_PRIVATE, 1, 0600);
    waitpid(child, 0, 0);
    assert(new != old);
    semctl(new, 0, IPC_RMID);
    return 0;
}
