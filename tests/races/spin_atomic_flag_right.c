// no race
/* A lock of one's own, made of atomic_flag. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int counter;

static void *count(void *unused)
{
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        sched_yield();
    counter++;
    atomic_flag_clear_explicit(&taken, memory_order_release);
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
