/* Reads a list node after it was freed: the classic way to free a list wrongly. */
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *next, int value)
{
    struct node *node = malloc(sizeof *node);
    node->next = next;
    node->value = value;
    return node;
}

int main(void)
{
    struct node *list = push(push(push(NULL, 3), 2), 1);
    for (struct node *node = list; node != NULL; node = node->next) /* ERROR */
        free(node);
    return 0;
}

// steam: expect=use-after-free
