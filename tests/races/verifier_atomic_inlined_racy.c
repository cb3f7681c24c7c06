// race: count 9 9
/* A function that is one step by its name is none where it was inlined; steam's own compiler does not inline it. */
#include <pthread.h>
#include <stddef.h>

static int count;
static inline __attribute__((always_inline)) void __VERIFIER_atomic_add(int amount)
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
    return 0;
}
