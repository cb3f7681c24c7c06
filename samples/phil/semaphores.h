/* What the programs of the VeriSoft paper say for operations on System V semaphores. They are macros so
 * that a philosopher waits at its own line. */
#include <sys/ipc.h>
#include <sys/sem.h>

#define SEMCHANGE(set, number, by) semop(set, &(struct sembuf){(unsigned short)(number), by, 0}, 1)

#define semwait(set, number, count) SEMCHANGE(set, number, -(count))
#define semsignal(set, number, count) SEMCHANGE(set, number, count)
#define semsetval(set, number, value) semctl(set, number, SETVAL, value)
