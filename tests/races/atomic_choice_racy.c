// race: chosen 11 24
/* What an atomic function does after the choice of a value races with a plain access; reported at the choice. */
#include <pthread.h>
#include <steam.h>

int count, chosen;

static __attribute__((noinline)) void __VERIFIER_atomic_choose(void)
{
    count++;
    if (VS_toss(1))
        chosen = 1;
}

static void *work(void *unused)
{
    __VERIFIER_atomic_choose();
    return unused;
}

static void *other(void *unused)
{
    (void)unused;
    chosen = 2;
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, work, 0);
    pthread_create(&threads[1], 0, other, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
