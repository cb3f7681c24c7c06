// steam: expect=none states=60
/* Who did not make a set waits until it was operated on: only then its values were set. Not to wait for ever, sem_otime
 * must become another than 0. */
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEY 1234

union semun {
    int val;
    struct semid_ds *buf;
};

static void use(void)
{
    struct sembuf take = {0, -1, 0}, give = {0, 1, 0};
    int set = semget(KEY, 1, IPC_CREAT | IPC_EXCL | 0600);
    if (set >= 0) {
        semctl(set, 0, SETVAL, (union semun){.val = 0});
        semop(set, &give, 1);
    } else {
        struct semid_ds status;
        assert(errno == EEXIST);
        set = semget(KEY, 1, 0600);
        do {
            assert(semctl(set, 0, IPC_STAT, (union semun){.buf = &status}) == 0);
            if (status.sem_otime == 0)
                sched_yield();
        } while (status.sem_otime == 0);
    }
    semop(set, &take, 1);
    semop(set, &give, 1);
}

int main(void)
{
    pid_t child = fork();
    use();
    if (child == 0)
        _exit(0);
    wait(0);
    semctl(semget(KEY, 1, 0600), 0, IPC_RMID);
}
