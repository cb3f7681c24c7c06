// steam: expect=none
/* A spin lock by test-and-set: whoever spins is let in one day. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int count;

static void *increment(void *argument)
{
    while (atomic_flag_test_and_set(&lock))
        ;
    count++;
    atomic_flag_clear(&lock);
    return argument;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, increment, 0);
    pthread_create(&other, 0, increment, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
