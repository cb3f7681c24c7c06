// race: count 9 23
/* A function that is one step races with a plain access. */
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
    int early = count;
    pthread_join(thread, NULL);
    return early < 0;
}
