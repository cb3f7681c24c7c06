// steam: expect=none
/* Dekker's mutual exclusion, the first one known for two threads. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static volatile int inside;

static void enter(int self, int other)
{
    atomic_store(&wants[self], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == self)
            continue;
        atomic_store(&wants[self], 0);
        while (atomic_load(&turn) != self)
            sched_yield();
        atomic_store(&wants[self], 1);
    }
}

static void leave(int self, int other)
{
    atomic_store(&turn, other);
    atomic_store(&wants[self], 0);
}

static void *compete(void *argument)
{
    int self = *(int *)argument, other = 1 - self;
    enter(self, other);
    inside++;
    assert(inside == 1);
    inside--;
    leave(self, other);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int selves[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, compete, &selves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
