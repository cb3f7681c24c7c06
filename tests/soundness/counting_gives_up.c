// steam: expect=assert
/* A thread gives up after some turns, and goes on without the lock. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_int inside;

static void *work(void *unused)
{
    for (int turns = 0; atomic_flag_test_and_set(&lock); ++turns)
        if (turns == 3)
            break;
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_flag_clear(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
