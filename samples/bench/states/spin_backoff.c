// steam: expect=none flags=-DTHREADS=2
/* A spin lock with exponential back-off up to a limit: a thread that fails pauses twice as long the next time. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#define LONGEST 16

static atomic_int held;
static int counter;

static void spin_lock(void)
{
    unsigned pause = 1;
    while (atomic_exchange(&held, 1)) {
        for (volatile unsigned i = 0; i < pause; i++)
            ;
        if (pause < LONGEST)
            pause *= 2;
        while (atomic_load(&held))
            ;
    }
}

static void *count(void *unused)
{
    (void)unused;
    spin_lock();
    counter++;
    atomic_store(&held, 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS);
    return 0;
}
