// steam: expect=assert
/* A process that is made while another one looks has the segment too: it looks before or behind that. */
#include <assert.h>
#include <signal.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int segment = shmget(IPC_PRIVATE, 4096, 0600);
    shmat(segment, 0, 0);
    if (fork() == 0) {
        struct shmid_ds status;
        shmctl(segment, IPC_STAT, &status);
        assert(status.shm_nattch != 2); /* ERROR */
        _exit(0);
    }
    pid_t second = fork();
    if (second == 0) {
        pause();
        _exit(0);
    }
    wait(0);
    kill(second, SIGKILL);
}
