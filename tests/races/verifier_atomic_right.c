// no race
/* Functions that are one step because their names say so do not race with each other. */
#include <pthread.h>
#include <stddef.h>

static int count;

static __attribute__((noinline)) void __VERIFIER_atomic_add(int amount)
{
    count += amount;
}

static void *work(void *unused)
{
    __VERIFIER_atomic_add(2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    __VERIFIER_atomic_add(3);
    pthread_join(thread, NULL);
    return count != 5;
}
