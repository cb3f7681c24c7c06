// steam: expect=deadlock flags=-DN=3 with=semaphores.h
/* The dining philosophers of the VeriSoft paper (Figure 1): one process each, a System V semaphore
 * for each fork, no loops. -DN= says how many there are. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "semaphores.h"

#ifndef N
#define N 2
#endif

static void philosopher(int i, int semid)
{
    printf("philosopher %d thinks\n", i);
    semwait(semid, i, 1);           /* take left fork */
    semwait(semid, (i + 1) % N, 1); /* ERROR */
    printf("philosopher %d eats\n", i);
    semsignal(semid, i, 1);           /* release left fork */
    semsignal(semid, (i + 1) % N, 1); /* release right fork */
    exit(0);
}

int main(void)
{
    int i, semid = semget(IPC_PRIVATE, N, 0600);
    for (i = 0; i < N; i++)
        semsetval(semid, i, 1);
    for (i = 0; i < N - 1; i++) {
        if (fork() == 0)
            philosopher(i, semid);
    }
    philosopher(i, semid);
}
