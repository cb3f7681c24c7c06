// no race
/* A lock-free stack: nodes are pushed by compare-and-exchange and all taken at once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;
static struct node nodes[2];

static void *push(void *argument)
{
    struct node *node = argument;
    node->value = 1;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &node->next, node))
        ;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int sum = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, push, &nodes[i]);
    for (struct node *node = atomic_exchange(&top, NULL); node != NULL; node = node->next)
        sum += node->value;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (struct node *node = top; node != NULL; node = node->next)
        sum += node->value;
    assert(sum == 2);
    return 0;
}
