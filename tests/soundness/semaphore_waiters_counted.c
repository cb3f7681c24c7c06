// steam: expect=assert
/* That somebody waits at a semaphore is seen once it has begun to wait, and not before. */
#include <assert.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int set = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf give = {0, 1, 0}, take = {0, -1, 0};
    if (fork() == 0) {
        semop(set, &take, 1);
        _exit(0);
    }
    int waiting = semctl(set, 0, GETNCNT);
    assert(semctl(set, 0, GETZCNT) == 0);
    semop(set, &give, 1);
    assert(waiting == 1); /* ERROR */
    wait(0);
    semctl(set, 0, IPC_RMID);
}
