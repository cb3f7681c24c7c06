// steam: expect=none
/* Treiber's stack with a counter in the upper half of the top word: every change makes a new value,
 * so that a swap cannot take an old top for the present one. Nodes are numbers, 0 is none. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct node {
    atomic_uint next;
    atomic_int owned;
};

static struct node nodes[4];
static atomic_uint top;

static uint32_t changed(uint32_t seen, uint32_t node)
{
    return ((seen >> 16) + 1) << 16 | node;
}

static void push(uint32_t node)
{
    uint32_t seen = atomic_load(&top);
    atomic_store(&nodes[node].owned, 0);
    do
        atomic_store(&nodes[node].next, seen & 0xffff);
    while (!atomic_compare_exchange_weak(&top, &seen, changed(seen, node)));
}

static uint32_t pop(void)
{
    uint32_t seen = atomic_load(&top), next;
    do {
        if ((seen & 0xffff) == 0)
            return 0;
        next = atomic_load(&nodes[seen & 0xffff].next);
    } while (!atomic_compare_exchange_weak(&top, &seen, changed(seen, next)));
    int owned = atomic_exchange(&nodes[seen & 0xffff].owned, 1);
    assert(!owned);
    return seen & 0xffff;
}

static void *take_two(void *unused)
{
    (void)unused;
    pop();
    pop();
    return NULL;
}

static void *take_two_return_one(void *unused)
{
    (void)unused;
    uint32_t first = pop();
    pop();
    if (first != 0)
        push(first);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    for (uint32_t i = 1; i < 4; i++)
        push(i);
    pthread_create(&first, NULL, take_two, NULL);
    pthread_create(&second, NULL, take_two_return_one, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
