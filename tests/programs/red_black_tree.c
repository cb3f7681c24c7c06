/* A red-black tree with parent pointers: insertion, deletion, and a full check of its invariants. */
#include <stdio.h>
#include <stdlib.h>

enum colour { RED, BLACK };
struct node {
    struct node *left, *right, *parent;
    enum colour colour;
    int key;
};
static struct node nil = {&nil, &nil, &nil, BLACK, 0};
static struct node *root = &nil;
static int rotations;

static void replace(struct node *u, struct node *v)
{
    if (u->parent == &nil)
        root = v;
    else if (u == u->parent->left)
        u->parent->left = v;
    else
        u->parent->right = v;
    v->parent = u->parent;
}
static void rotate_left(struct node *x)
{
    struct node *y = x->right;
    rotations++;
    x->right = y->left;
    if (y->left != &nil)
        y->left->parent = x;
    replace(x, y);
    y->left = x;
    x->parent = y;
}
static void rotate_right(struct node *x)
{
    struct node *y = x->left;
    rotations++;
    x->left = y->right;
    if (y->right != &nil)
        y->right->parent = x;
    replace(x, y);
    y->right = x;
    x->parent = y;
}

static int insert(int key)
{
    struct node *parent = &nil, **link = &root;
    while (*link != &nil) {
        parent = *link;
        if (key == parent->key)
            return 0;
        link = key < parent->key ? &parent->left : &parent->right;
    }
    struct node *z = malloc(sizeof *z);
    *z = (struct node){&nil, &nil, parent, RED, key};
    *link = z;
    while (z->parent->colour == RED) {
        struct node *grand = z->parent->parent;
        int on_left = z->parent == grand->left;
        struct node *uncle = on_left ? grand->right : grand->left;
        if (uncle->colour == RED) {
            z->parent->colour = uncle->colour = BLACK;
            grand->colour = RED;
            z = grand;
            continue;
        }
        if (on_left ? z == z->parent->right : z == z->parent->left) {
            z = z->parent;
            on_left ? rotate_left(z) : rotate_right(z);
        }
        z->parent->colour = BLACK;
        grand->colour = RED;
        on_left ? rotate_right(grand) : rotate_left(grand);
    }
    root->colour = BLACK;
    return 1;
}

static void repair(struct node *x)
{
    while (x != root && x->colour == BLACK) {
        int on_left = x == x->parent->left;
        struct node *w = on_left ? x->parent->right : x->parent->left;
        if (w->colour == RED) {
            w->colour = BLACK;
            x->parent->colour = RED;
            on_left ? rotate_left(x->parent) : rotate_right(x->parent);
            w = on_left ? x->parent->right : x->parent->left;
        }
        if (w->left->colour == BLACK && w->right->colour == BLACK) {
            w->colour = RED;
            x = x->parent;
            continue;
        }
        if ((on_left ? w->right : w->left)->colour == BLACK) {
            (on_left ? w->left : w->right)->colour = BLACK;
            w->colour = RED;
            on_left ? rotate_right(w) : rotate_left(w);
            w = on_left ? x->parent->right : x->parent->left;
        }
        w->colour = x->parent->colour;
        x->parent->colour = BLACK;
        (on_left ? w->right : w->left)->colour = BLACK;
        on_left ? rotate_left(x->parent) : rotate_right(x->parent);
        x = root;
    }
    x->colour = BLACK;
}

static int erase(int key)
{
    struct node *z = root, *x, *y;
    while (z != &nil && z->key != key)
        z = key < z->key ? z->left : z->right;
    if (z == &nil)
        return 0;
    enum colour removed = z->colour;
    if (z->left == &nil)
        replace(z, x = z->right);
    else if (z->right == &nil)
        replace(z, x = z->left);
    else {
        for (y = z->right; y->left != &nil; y = y->left)
            ;
        removed = y->colour;
        x = y->right;
        if (y->parent == z)
            x->parent = y;
        else {
            replace(y, y->right);
            y->right = z->right;
            y->right->parent = y;
        }
        replace(z, y);
        y->left = z->left;
        y->left->parent = y;
        y->colour = z->colour;
    }
    free(z);
    if (removed == BLACK)
        repair(x);
    return 1;
}

static int black_height(const struct node *n, int low, int high)
{
    if (n == &nil)
        return 1;
    if (n->key <= low || n->key >= high || (n->colour == RED && (n->left->colour == RED || n->right->colour == RED)))
        return -1000000;
    int left = black_height(n->left, low, n->key), right = black_height(n->right, n->key, high);
    return left != right ? -1000000 : left + (n->colour == BLACK);
}
static int depth(const struct node *n)
{
    if (n == &nil)
        return 0;
    int l = depth(n->left), r = depth(n->right);
    return 1 + (l > r ? l : r);
}

int main(void)
{
    int size = 0, operations = 0;
    unsigned seed = 4242;
    for (int i = 1; i <= 6000; i++) {
        seed = seed * 1103515245u + 12345u;
        int key = (int)(seed >> 16) % 1500;
        size += (seed >> 8) % 5 < 3 ? insert(key) : -erase(key);
        operations++;
        if (i % 500 == 0)
            printf("%d: size %d depth %d black height %d rotations %d\n", operations, size, depth(root), black_height(root, -1, 1 << 30), rotations);
    }
    for (int key = 0; key < 2000; key++)
        size -= erase(key);
    printf("left %d, empty %d\n", size, root == &nil);
    for (int key = 0; key < 1024; key++)
        insert(key);
    printf("sorted input: depth %d, root %d\n", depth(root), root->key);
    while (root != &nil)
        erase(root->key);
    return 0;
}
