// steam: expect=none flags=-DPRODUCERS=1,-DITEMS=1
/* The queue of Michael and Scott, with nodes from the heap that are freed at the end: producers link nodes
 * behind its tail, the consumer takes what is there. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef ITEMS
#define ITEMS 1
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static void enqueue(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (last != atomic_load(&tail))
            continue;
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static bool dequeue(int *value)
{
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first != atomic_load(&head))
            continue;
        if (next == NULL)
            return false;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        *value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return true; /* the old dummy is left to the end: no reclamation here */
    }
}

static void *produce(void *first)
{
    for (int i = 0; i < ITEMS; i++)
        enqueue(*(int *)first + i);
    return NULL;
}

static void *consume(void *taken)
{
    int value;
    for (int i = 0; i < ITEMS; i++)
        if (dequeue(&value))
            *(int *)taken += value;
    return NULL;
}

int main(void)
{
    pthread_t producers[PRODUCERS], consumer;
    int firsts[PRODUCERS], taken = 0, value, expected = 0;
    struct node *dummy = calloc(1, sizeof *dummy);
    atomic_store(&head, dummy);
    atomic_store(&tail, dummy);
    for (int i = 0; i < PRODUCERS; i++) {
        firsts[i] = 1 + i * ITEMS;
        pthread_create(&producers[i], NULL, produce, &firsts[i]);
    }
    pthread_create(&consumer, NULL, consume, &taken);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    pthread_join(consumer, NULL);
    while (dequeue(&value))
        taken += value;
    for (int i = 1; i <= PRODUCERS * ITEMS; i++)
        expected += i;
    assert(taken == expected);
    while (dummy != NULL) {
        struct node *next = atomic_load(&dummy->next);
        free(dummy);
        dummy = next;
    }
    return 0;
}
