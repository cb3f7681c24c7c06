// steam: error=none
/* The right way to free a list, a tree and a graph; blocks come back at the same addresses and are used again. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
    int key;
};

static struct node *insert(struct node *t, int key)
{
    if (!t) {
        t = malloc(sizeof *t);
        *t = (struct node){NULL, NULL, key};
    } else if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}
static long release(struct node *t)
{
    if (!t)
        return 0;
    struct node *left = t->left, *right = t->right;
    long key = t->key;
    free(t);
    return key + release(left) + release(right);
}

int main(void)
{
    long sum = 0;
    for (int round = 0; round < 20; round++) {
        struct node *t = NULL;
        for (int i = 0; i < 100; i++)
            t = insert(t, i * 7919 % (101 + round));
        sum += release(t);
        struct node *list = NULL;
        for (int i = 0; i < 50; i++) {
            struct node *n = malloc(sizeof *n);
            *n = (struct node){list, NULL, i};
            list = n;
        }
        while (list) {
            struct node *next = list->left;
            sum += list->key;
            free(list);
            list = next;
        }
    }
    printf("%ld\n", sum);
    return 0;
}
