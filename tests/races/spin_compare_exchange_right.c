// no race
/* A lock by compare-and-exchange on a plain integer, with the compiler's builtins. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

static int owner;
static int shared[2];

static void *enter(void *argument)
{
    int me = *(int *)argument, nobody = 0;
    while (!__atomic_compare_exchange_n(&owner, &nobody, me, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        nobody = 0;
        sched_yield();
    }
    shared[0] += me;
    shared[1] += me;
    __atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int one = 1, two = 2;
    pthread_create(&thread, NULL, enter, &one);
    enter(&two);
    pthread_join(thread, NULL);
    assert(shared[0] == 3 && shared[1] == 3);
    return 0;
}
