// no race
/* A sequence lock whose data are relaxed atomics, as C11 demands. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *write_pair(void *unused)
{
    atomic_fetch_add(&sequence, 1);
    atomic_store_explicit(&low, 1, memory_order_relaxed);
    atomic_store_explicit(&high, 1, memory_order_relaxed);
    atomic_fetch_add(&sequence, 1);
    return unused;
}

int main(void)
{
    pthread_t writer;
    pthread_create(&writer, NULL, write_pair, NULL);
    unsigned before = atomic_load(&sequence);
    int a = atomic_load_explicit(&low, memory_order_relaxed);
    int b = atomic_load_explicit(&high, memory_order_relaxed);
    if (before % 2 == 0 && before == atomic_load(&sequence))
        assert(a == b);
    pthread_join(writer, NULL);
    return 0;
}
