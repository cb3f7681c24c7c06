// steam: expect=assert
/* How often a thread tried is looked at once it has the lock. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;

static void *work(void *unused)
{
    unsigned turns = 0;
    while (atomic_flag_test_and_set(&lock))
        turns = (turns + 1) & 3;
    assert(turns != 3);
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
