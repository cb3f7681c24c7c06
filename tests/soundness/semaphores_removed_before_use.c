// steam: expect=assert
/* Who waits for a semaphore when its set is removed gets EIDRM, who comes later EINVAL. */
#include <assert.h>
#include <errno.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int set = semget(IPC_PRIVATE, 1, 0600);
    if (fork() == 0) {
        struct sembuf take = {.sem_op = -1};
        assert(semop(set, &take, 1) == -1);
        assert(errno == EIDRM);
        _exit(0);
    }
    semctl(set, 0, IPC_RMID);
    wait(0);
}
