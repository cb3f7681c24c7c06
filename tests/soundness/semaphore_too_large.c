// steam: expect=assert
/* Of two who add to a semaphore one fails, whoever comes second. */
#include <assert.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    struct sembuf add = {0, 1, 0};
    int set = semget(IPC_PRIVATE, 1, 0600);
    semctl(set, 0, SETVAL, 32766);
    if (fork()) {
        semop(set, &add, 1);
        return 0;
    }
    assert(semop(set, &add, 1) == 0); /* ERROR */
    _exit(0);
}
