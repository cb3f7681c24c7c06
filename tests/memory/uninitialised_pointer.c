// steam: error=uninitialised
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

__attribute__((noipa)) static int second(struct node *node) {
    return node->next->value; /* ERROR */
}

int main(void) {
    struct node *node = malloc(sizeof *node); /* ALLOC */
    node->value = 1;
    return second(node);
}
