// steam: error=use-after-free
/* Freeing a list by looking into the node just freed. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n); /* ALLOC */
    n->value = value;
    n->next = list;
    return n;
}
static void __attribute__((noinline)) drop(struct node *n)
{
    free(n); /* FREE */
}
static void __attribute__((noinline)) release(struct node *list)
{
    for (; list; list = list->next) /* ERROR */
        drop(list);
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 4; i++)
        list = push(list, i);
    printf("%d\n", list->value);
    release(list);
    return 0;
}
