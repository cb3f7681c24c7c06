// race: shared memory 15 19
/* A System V segment: parent and child write the same cell, and each its own besides. */
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int segment = shmget(IPC_PRIVATE, 64, 0600);
    int *cells = shmat(segment, NULL, 0);
    pid_t child = fork();
    if (child == 0) {
        cells[1] = 1;
        cells[0] = 1;
        _exit(0);
    }
    cells[2] = 2;
    cells[0] = 2;
    waitpid(child, NULL, 0);
    shmctl(segment, IPC_RMID, NULL);
    return cells[0] == 0;
}
