// steam: expect=assert
/* A process that is made while another one looks has the segment too: that one looks before or after it. */
#include <assert.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int segment = shmget(IPC_PRIVATE, 4096, 0600), ends[2];
    pipe(ends);
    shmat(segment, 0, 0);
    pid_t first = fork();
    if (first == 0) {
        struct shmid_ds status;
        shmctl(segment, IPC_STAT, &status);
        assert(status.shm_nattch != 2); /* ERROR */
        _exit(0);
    }
    pid_t second = fork();
    if (second == 0) {
        read(ends[0], &(char){0}, 1);
        _exit(0);
    }
    waitpid(first, 0, 0);
    write(ends[1], "", 1);
    waitpid(second, 0, 0);
    shmctl(segment, IPC_RMID, 0);
}
