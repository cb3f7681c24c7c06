// steam: expect=none
/* Two wait for more and one for zero; who comes first is not known, but in the end all of them wait. */
#include <assert.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int set = semget(IPC_PRIVATE, 2, 0600);
    struct sembuf give[] = {{0, 1, 0}, {1, -1, 0}}, take = {0, -1, 0}, zero = {1, 0, 0}, up = {1, 1, 0};
    semop(set, &up, 1);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            semop(set, i ? &take : &zero, 1);
            _exit(0);
        }
    while (semctl(set, 0, GETNCNT) < 1 || semctl(set, 1, GETZCNT) < 1)
        ;
    assert(semctl(set, 1, GETNCNT) == 0 && semctl(set, 0, GETZCNT) == 0);
    semop(set, give, 2);
    wait(0);
    wait(0);
    assert(semctl(set, 0, GETNCNT) == 0 && semctl(set, 1, GETZCNT) == 0);
    semctl(set, 0, IPC_RMID);
}
