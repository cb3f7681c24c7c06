// steam: expect=assert
/* A segment tells how many processes have it: one that has ended no longer does. */
#include <assert.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int segment = shmget(IPC_PRIVATE, 4096, 0600 | IPC_CREAT);
    struct shmid_ds status;
    shmat(segment, 0, 0);
    if (fork() == 0)
        _exit(0);
    shmctl(segment, IPC_STAT, &status);
    assert(status.shm_nattch == 1); /* ERROR */
    wait(0);
}
