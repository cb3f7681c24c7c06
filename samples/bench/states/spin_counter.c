// steam: expect=none flags=-DTHREADS=2
/* A spin lock that counts its attempts and sleeps when there were many: the count is no part of what it does. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#ifndef THREADS
#define THREADS 2
#endif

static atomic_flag held = ATOMIC_FLAG_INIT;
static int counter;

static void spin_lock(void)
{
    for (unsigned attempts = 0; atomic_flag_test_and_set(&held); attempts++)
        if (attempts > 3) {
            struct timespec pause = {0, 1000};
            nanosleep(&pause, NULL);
        }
}

static void *count(void *unused)
{
    (void)unused;
    spin_lock();
    counter++;
    atomic_flag_clear(&held);
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
