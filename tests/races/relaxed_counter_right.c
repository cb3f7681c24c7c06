// no race
/* A statistic with relaxed atomics; the sum is read after the join. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int events;

static void *work(void *unused)
{
    atomic_fetch_add_explicit(&events, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    int so_far = atomic_load_explicit(&events, memory_order_relaxed);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(so_far <= atomic_load_explicit(&events, memory_order_relaxed));
    return 0;
}
