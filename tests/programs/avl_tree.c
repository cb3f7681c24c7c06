/* A recursive AVL tree used as an ordered map from strings to numbers, with range queries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    struct node *child[2];
    int height, size;
    double value;
    char *key;
} node;

static int height(const node *n) { return n ? n->height : 0; }
static int size(const node *n) { return n ? n->size : 0; }
static node *update(node *n)
{
    int l = height(n->child[0]), r = height(n->child[1]);
    n->height = 1 + (l > r ? l : r);
    n->size = 1 + size(n->child[0]) + size(n->child[1]);
    return n;
}
static node *rotate(node *n, int side)
{
    node *up = n->child[!side];
    n->child[!side] = up->child[side];
    up->child[side] = update(n);
    return update(up);
}
static node *balance(node *n)
{
    update(n);
    for (int side = 0; side < 2; side++)
        if (height(n->child[side]) > height(n->child[!side]) + 1) {
            node *tall = n->child[side];
            if (height(tall->child[!side]) > height(tall->child[side]))
                n->child[side] = rotate(tall, side);
            return rotate(n, !side);
        }
    return n;
}
static node *put(node *n, const char *key, double value)
{
    if (!n) {
        n = calloc(1, sizeof *n);
        n->key = strdup(key);
        n->value = value;
        return update(n);
    }
    int order = strcmp(key, n->key);
    if (order == 0) {
        n->value += value;
        return n;
    }
    n->child[order > 0] = put(n->child[order > 0], key, value);
    return balance(n);
}
static node *take_least(node *n, node **least)
{
    if (!n->child[0]) {
        *least = n;
        return n->child[1];
    }
    n->child[0] = take_least(n->child[0], least);
    return balance(n);
}
static node *drop(node *n, const char *key)
{
    if (!n)
        return NULL;
    int order = strcmp(key, n->key);
    if (order != 0) {
        n->child[order > 0] = drop(n->child[order > 0], key);
        return balance(n);
    }
    node *result;
    if (!n->child[1])
        result = n->child[0];
    else {
        node *least, *right = take_least(n->child[1], &least);
        least->child[0] = n->child[0];
        least->child[1] = right;
        result = balance(least);
    }
    free(n->key);
    free(n);
    return result;
}
static const node *at(const node *n, int rank)
{
    while (rank != size(n->child[0]))
        if (rank < size(n->child[0]))
            n = n->child[0];
        else {
            rank -= size(n->child[0]) + 1;
            n = n->child[1];
        }
    return n;
}
static void range(const node *n, const char *low, const char *high, int *count, double *sum)
{
    if (!n)
        return;
    if (strcmp(n->key, low) > 0)
        range(n->child[0], low, high, count, sum);
    if (strcmp(n->key, low) >= 0 && strcmp(n->key, high) < 0) {
        ++*count;
        *sum += n->value;
    }
    if (strcmp(n->key, high) < 0)
        range(n->child[1], low, high, count, sum);
}
static int valid(const node *n)
{
    if (!n)
        return 1;
    int skew = height(n->child[0]) - height(n->child[1]);
    return skew >= -1 && skew <= 1 && valid(n->child[0]) && valid(n->child[1]);
}
static void draw(const node *n, int indent)
{
    if (!n)
        return;
    draw(n->child[1], indent + 4);
    printf("%*s%s:%g\n", indent, "", n->key, n->value);
    draw(n->child[0], indent + 4);
}

int main(void)
{
    node *root = NULL;
    const char *words[] = {"lion", "ant", "bee", "cow", "dog", "eel", "fox", "gnu", "hen", "ibis", "jay", "koi"};
    for (int i = 0; i < 12; i++)
        root = put(root, words[i], i + 0.5);
    draw(root, 0);
    root = drop(drop(drop(root, "gnu"), "ant"), "missing");
    printf("%d nodes, height %d, valid %d\n", size(root), height(root), valid(root));
    char key[16];
    for (int i = 0; i < 3000; i++) {
        snprintf(key, sizeof key, "%c%03d", 'a' + i * 7 % 26, i * 37 % 1000);
        root = put(root, key, i % 10);
        if (i % 4 == 3) {
            snprintf(key, sizeof key, "%c%03d", 'a' + i * 3 % 26, i * 37 % 1000);
            root = drop(root, key);
        }
    }
    int count = 0;
    double sum = 0;
    range(root, "f", "k", &count, &sum);
    printf("%d nodes, height %d, valid %d, f..k %d with %g\n", size(root), height(root), valid(root), count, sum);
    for (int i = 0; i < size(root); i += 400)
        printf("%s ", at(root, i)->key);
    putchar('\n');
    while (root)
        root = drop(root, at(root, size(root) / 2)->key);
    puts("empty");
    return 0;
}
