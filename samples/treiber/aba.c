// steam: expect=assert
/* Treiber's stack with the ABA error. One thread has read the top A and its successor B and is about
 * to swap A for B. The other one pops A, pops B, and pushes A again: the swap succeeds, and B, which
 * has an owner, is on the stack. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int owned;
};

static struct node nodes[3];
static _Atomic(struct node *) top;

static void push(struct node *node)
{
    struct node *seen = atomic_load(&top);
    atomic_store(&node->owned, 0);
    do
        atomic_store(&node->next, seen);
    while (!atomic_compare_exchange_weak(&top, &seen, node));
}

static struct node *pop(void)
{
    struct node *seen = atomic_load(&top);
    struct node *next;
    do {
        if (seen == NULL)
            return NULL;
        next = atomic_load(&seen->next);
    } while (!atomic_compare_exchange_weak(&top, &seen, next));
    int owned = atomic_exchange(&seen->owned, 1);
    assert(!owned); /* ERROR */
    return seen;
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
    struct node *first = pop();
    pop();
    if (first != NULL)
        push(first);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    for (int i = 0; i < 3; i++)
        push(&nodes[i]);
    pthread_create(&first, NULL, take_two, NULL);
    pthread_create(&second, NULL, take_two_return_one, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
