// steam: expect=hang divergence=200000
/* A robot drops objects on a table that two others clear: processes with shared memory and semaphores,
 * as in the VeriSoft paper of 1997. Where both objects fall on one field, there is one of them only. A
 * robot that looks whether there is one before the table is its own may find it empty then, and its
 * arm goes round for ever: a loop without anything that others could see or change. */
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include "steam.h"

enum { FIELDS = 3, ROBOTS = 2, OBJECTS = 2 };
enum { TABLE, DROPPED, SEMAPHORES };

struct table {
    int objects;
    char fields[FIELDS];
};

static struct table *table;
static int set;

static void change(int semaphore, int by)
{
    semop(set, &(struct sembuf){(unsigned short)semaphore, (short)by, 0}, 1);
}

/* Drops an object on a field of its choice. */
static void drop(void)
{
    int field = VS_toss(FIELDS - 1);
    change(TABLE, -1);
    if (!table->fields[field]) {
        table->fields[field] = 1;
        table->objects++;
    }
    change(TABLE, 1);
    change(DROPPED, 1);
}

/* Moves the arm along the table to the next object. */
static int find(const struct table *seen, int arm)
{
    while (!seen->fields[arm]) arm = (arm + 1) % FIELDS; /* ERROR */
    return arm;
}

static void collect(int arm)
{
    if (table->objects == 0)
        return;
    change(TABLE, -1);
    struct table seen = *table;
    table->fields[find(&seen, arm)] = 0;
    table->objects--;
    change(TABLE, 1);
}

int main(void)
{
    set = semget(IPC_PRIVATE, SEMAPHORES, 0600);
    semctl(set, TABLE, SETVAL, 1);
    int memory = shmget(IPC_PRIVATE, sizeof *table, 0600);
    table = shmat(memory, NULL, 0);
    shmctl(memory, IPC_RMID, NULL);
    for (int robot = 0; robot < ROBOTS; robot++) {
        if (fork() == 0) {
            change(DROPPED, -1);
            collect(robot);
            _exit(0);
        }
    }
    for (int object = 0; object < OBJECTS; object++)
        drop();
    for (int robot = 0; robot < ROBOTS; robot++)
        wait(NULL);
    semctl(set, 0, IPC_RMID);
    return 0;
}
