// steam: expect=none args=2
/* Peterson's mutual exclusion of two threads. The argument is the number of rounds. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int wants[2], turn;
static int rounds = 1;
static volatile int inside;

static void *compete(void *argument)
{
    int self = *(int *)argument, other = 1 - self;
    for (int i = 0; i < rounds; i++) {
        atomic_store(&wants[self], 1);
        atomic_store(&turn, other);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
            sched_yield();
        inside++;
        assert(inside == 1);
        inside--;
        atomic_store(&wants[self], 0);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    int selves[2] = {0, 1};
    if (argc > 1)
        rounds = atoi(argv[1]);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, compete, &selves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
