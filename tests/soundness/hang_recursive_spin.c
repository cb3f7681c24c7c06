// steam: expect=hang
/* A spin lock that its owner takes again: everybody spins on it then. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;

static void *take_twice(void *argument)
{
    while (atomic_flag_test_and_set(&lock))
        ;
    while (atomic_flag_test_and_set(&lock))
        ;
    return argument;
}

static void *take_once(void *argument)
{
    while (atomic_flag_test_and_set(&lock))
        ;
    atomic_flag_clear(&lock);
    return argument;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, take_twice, 0);
    pthread_create(&other, 0, take_once, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
