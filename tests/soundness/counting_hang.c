// steam: expect=hang
/* The lock is never given back: who waits for it counts its turns, yields, and never comes on. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;

static void *work(void *unused)
{
    for (unsigned turns = 0; atomic_flag_test_and_set(&lock); ++turns)
        if (turns % 4 == 3)
            sched_yield();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
