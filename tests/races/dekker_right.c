// no race
/* Dekker's lock with atomics. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int shared;

static void *enter(void *argument)
{
    int me = *(int *)argument, other = 1 - me;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other]))
        if (atomic_load(&turn) != me) {
            atomic_store(&wants[me], 0);
            while (atomic_load(&turn) != me)
                sched_yield();
            atomic_store(&wants[me], 1);
        }
    shared = shared * 3 + 1;
    atomic_store(&turn, other);
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int zero = 0, one = 1;
    pthread_create(&thread, NULL, enter, &zero);
    enter(&one);
    pthread_join(thread, NULL);
    assert(shared == 4);
    return 0;
}
