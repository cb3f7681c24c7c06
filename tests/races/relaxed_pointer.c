// no race
// race by C11 only: heap block of relaxed_pointer.c:17 18 30
/* A node is published by a relaxed store of its address. No race side by side, for who sees the
 * address comes after the writes to the node; a race by C11. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int key;
};

static _Atomic(struct node *) newest;

static void *publish(void *unused)
{
    struct node *node = malloc(sizeof *node);
    node->key = 9;
    atomic_store_explicit(&newest, node, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t publisher;
    int key = 9;
    pthread_create(&publisher, NULL, publish, NULL);
    struct node *seen = atomic_load_explicit(&newest, memory_order_relaxed);
    if (seen != NULL)
        key = seen->key;
    pthread_join(publisher, NULL);
    free(newest);
    return key != 9;
}
