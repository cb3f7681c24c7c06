// steam: expect=none flags=-DN=3 with=semaphores.h
/* The philosophers of the VeriSoft paper without their deadlock: each takes the fork with the lower
 * number first. The last one clears the table. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "semaphores.h"

#ifndef N
#define N 2
#endif

static void philosopher(int i, int semid)
{
    int left = i, right = (i + 1) % N;
    semwait(semid, left < right ? left : right, 1);
    semwait(semid, left < right ? right : left, 1);
    semsignal(semid, left, 1);
    semsignal(semid, right, 1);
}

int main(void)
{
    int i, semid = semget(IPC_PRIVATE, N, 0600);
    for (i = 0; i < N; i++)
        semsetval(semid, i, 1);
    for (i = 0; i < N - 1; i++) {
        if (fork() == 0) {
            philosopher(i, semid);
            _exit(0);
        }
    }
    philosopher(i, semid);
    for (i = 0; i < N - 1; i++)
        wait(NULL);
    semctl(semid, 0, IPC_RMID);
    return 0;
}
