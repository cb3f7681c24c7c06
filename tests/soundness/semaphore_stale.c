// steam: expect=assert
/* The last use of a set may be long ago. */
#include <assert.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

union semun {
    struct semid_ds *buf;
};

int main(void)
{
    int set = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf give = {0, 1, 0};
    if (fork() == 0) {
        semop(set, &give, 1);
        _exit(0);
    }
    wait(0);
    struct semid_ds status;
    semctl(set, 0, IPC_STAT, (union semun){.buf = &status});
    assert(status.sem_otime != 0);
    time_t now = time(0);
    assert(now >= status.sem_otime);
    assert(now - status.sem_otime < 60); /* ERROR */
    semctl(set, 0, IPC_RMID);
}
