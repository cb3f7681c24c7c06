// steam: expect=assert
/* A set that was made need not have its values yet: sem_otime is 0 as long as nobody has operated on it. */
#include <assert.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

union semun {
    int val;
    struct semid_ds *buf;
};

int main(void)
{
    int set = semget(IPC_PRIVATE, 1, 0600);
    if (fork() == 0) {
        struct sembuf give = {0, 1, 0};
        semop(set, &give, 1);
        _exit(0);
    }
    struct semid_ds status;
    semctl(set, 0, IPC_STAT, (union semun){.buf = &status});
    assert(status.sem_ctime != 0);
    assert(status.sem_otime != 0); /* ERROR */
    wait(0);
    semctl(set, 0, IPC_RMID);
}
