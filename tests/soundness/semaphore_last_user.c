// steam: expect=assert
/* Either process may have used the semaphore last. */
#include <assert.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int set = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf give = {0, 1, 0};
    pid_t first = fork();
    if (first == 0) {
        semop(set, &give, 1);
        _exit(0);
    }
    pid_t second = fork();
    if (second == 0) {
        semop(set, &give, 1);
        _exit(0);
    }
    waitpid(first, 0, 0);
    waitpid(second, 0, 0);
    assert(semctl(set, 0, GETPID) == second); /* ERROR */
    semctl(set, 0, IPC_RMID);
}
