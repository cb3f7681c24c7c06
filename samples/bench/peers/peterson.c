/* Peterson's mutual exclusion of two threads that each enter five times. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 5
#endif

static atomic_int wants[2], turn;
static volatile int inside;

static void compete(int self)
{
    int other = 1 - self;
    for (int k = 0; k < ROUNDS; k++) {
        atomic_store(&wants[self], 1);
        atomic_store(&turn, other);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
            continue;
        inside = self;
        assert(inside == self);
        atomic_store(&wants[self], 0);
    }
}

static void *first(void *unused)
{
    compete(0);
    return unused;
}

static void *second(void *unused)
{
    compete(1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
