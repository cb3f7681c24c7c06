// no race
/* A ticket lock of two atomic counters. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static struct {
    atomic_uint next, serving;
} lock;
static int counter;

static void *count(void *unused)
{
    unsigned ticket = atomic_fetch_add(&lock.next, 1);
    while (atomic_load(&lock.serving) != ticket)
        sched_yield();
    counter++;
    atomic_store(&lock.serving, ticket + 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
