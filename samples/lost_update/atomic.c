// steam: expect=none
/* Two threads count with an atomic variable: one by an addition, the other by compare and swap. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static void *add(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++)
        atomic_fetch_add(&count, 1);
    return NULL;
}

static void *exchange(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        int seen = atomic_load(&count);
        while (!atomic_compare_exchange_weak(&count, &seen, seen + 1))
            ;
    }
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, exchange, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&count) == 4);
    return 0;
}
