// no race
/* The older builtins: a counter and a lock. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static int visits, taken, best;

static void *work(void *argument)
{
    int value = *(int *)argument;
    __sync_fetch_and_add(&visits, 1);
    while (__sync_lock_test_and_set(&taken, 1))
        sched_yield();
    if (value > best)
        best = value;
    __sync_lock_release(&taken);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int three = 3, eight = 8;
    pthread_create(&thread, NULL, work, &three);
    work(&eight);
    pthread_join(thread, NULL);
    assert(visits == 2 && best == 8);
    return 0;
}
