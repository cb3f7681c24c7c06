// steam: error=null-access
/* Walking one node too far: the field lies behind a null pointer, at an offset. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    char label[40];
    struct node *next;
    int weight;
};

static struct node *push(struct node *list, int weight)
{
    struct node *n = calloc(1, sizeof *n);
    n->next = list;
    n->weight = weight;
    return n;
}
static int __attribute__((noinline)) third(const struct node *list)
{
    const struct node *n = list->next->next;
    return n->weight; /* ERROR */
}

int main(void)
{
    struct node *list = push(push(NULL, 1), 2);
    printf("%d\n", list->next->weight);
    printf("%d\n", third(list));
    return 0;
}
