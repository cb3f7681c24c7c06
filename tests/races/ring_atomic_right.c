// no race
/* A lock-free ring for one producer and one consumer: atomic indices, plain cells. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SIZE = 2 };
static int cells[SIZE];
static atomic_uint head, tail;

static bool push(int item)
{
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    if (at - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
        return false;
    cells[at % SIZE] = item;
    atomic_store_explicit(&tail, at + 1, memory_order_release);
    return true;
}

static bool pop(int *item)
{
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    if (at == atomic_load_explicit(&tail, memory_order_acquire))
        return false;
    *item = cells[at % SIZE];
    atomic_store_explicit(&head, at + 1, memory_order_release);
    return true;
}

static void *produce(void *unused)
{
    for (int item = 1; item <= 3; item++)
        push(item);
    return unused;
}

int main(void)
{
    pthread_t producer;
    int item, last = 0;
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < 3; i++)
        if (pop(&item)) {
            assert(item > last);
            last = item;
        }
    pthread_join(producer, NULL);
    return 0;
}
