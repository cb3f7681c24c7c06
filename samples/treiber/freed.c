// steam: expect=use-after-free
/* Treiber's stack that frees what it pops: the other thread may still want to read that node. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &node->next, node))
        ;
}

static int pop(void)
{
    struct node *node = atomic_load(&top);
    while (node != NULL && !atomic_compare_exchange_weak(&top, &node, node->next)) /* ERROR */
        ;
    int value = node != NULL ? node->value : 0;
    free(node);
    return value;
}

static void *take(void *unused)
{
    (void)unused;
    pop();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    push(1);
    push(2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, take, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
