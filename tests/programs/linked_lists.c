/* Linked lists: reversal, merge sort, cycle detection, a doubly linked LRU cache, an intrusive queue. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    int value;
    struct cell *next;
};

static struct cell *cons(int value, struct cell *next)
{
    struct cell *c = malloc(sizeof *c);
    c->value = value, c->next = next;
    return c;
}
static struct cell *reverse(struct cell *list)
{
    struct cell *done = NULL;
    while (list) {
        struct cell *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}
static struct cell *merge(struct cell *a, struct cell *b)
{
    struct cell head, *tail = &head;
    while (a && b) {
        struct cell **least = a->value <= b->value ? &a : &b;
        tail = tail->next = *least;
        *least = (*least)->next;
    }
    tail->next = a ? a : b;
    return head.next;
}
static struct cell *sort(struct cell *list)
{
    if (!list || !list->next)
        return list;
    struct cell *slow = list, *fast = list->next;
    while (fast && fast->next)
        slow = slow->next, fast = fast->next->next;
    struct cell *second = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(second));
}
static int cycle_length(struct cell *list)
{
    struct cell *slow = list, *fast = list;
    while (fast && fast->next) {
        slow = slow->next, fast = fast->next->next;
        if (slow == fast) {
            int n = 1;
            for (fast = fast->next; fast != slow; fast = fast->next)
                n++;
            return n;
        }
    }
    return 0;
}
static struct cell *remove_if(struct cell *list, int (*test)(int))
{
    for (struct cell **link = &list; *link;)
        if (test((*link)->value)) {
            struct cell *gone = *link;
            *link = gone->next;
            free(gone);
        } else
            link = &(*link)->next;
    return list;
}
static int is_odd(int x) { return x & 1; }
static void show(const struct cell *list)
{
    for (int n = 0; list && n < 15; list = list->next, n++)
        printf("%d ", list->value);
    printf("%s\n", list ? "..." : ".");
}
static void release(struct cell *list)
{
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
}

/* The intrusive list of kernels. */
struct link {
    struct link *before, *after;
};
#define container(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))
struct page {
    int number, hits;
    struct link recency;
};
static struct link recent = {&recent, &recent};
static int cached, misses;
static void unlink_page(struct link *l) { l->before->after = l->after, l->after->before = l->before; }
static void push_front(struct link *l)
{
    l->before = &recent, l->after = recent.after;
    recent.after->before = l;
    recent.after = l;
}
static void touch(int number, int capacity)
{
    for (struct link *l = recent.after; l != &recent; l = l->after) {
        struct page *p = container(l, struct page, recency);
        if (p->number == number) {
            p->hits++;
            unlink_page(l);
            push_front(l);
            return;
        }
    }
    misses++;
    struct page *p;
    if (cached == capacity) {
        p = container(recent.before, struct page, recency);
        unlink_page(&p->recency);
    } else {
        p = malloc(sizeof *p);
        cached++;
    }
    p->number = number, p->hits = 1;
    push_front(&p->recency);
}

int main(void)
{
    struct cell *list = NULL;
    for (int i = 0; i < 200; i++)
        list = cons(i * 7919 % 211, list);
    show(list);
    show(list = reverse(list));
    show(list = sort(list));
    show(list = remove_if(list, is_odd));
    printf("cycle %d", cycle_length(list));
    struct cell *middle = list, *last = list;
    for (int i = 0; i < 20; i++)
        middle = middle->next;
    while (last->next)
        last = last->next;
    last->next = middle;
    printf(" %d\n", cycle_length(list));
    last->next = NULL;
    release(list);
    unsigned seed = 1;
    for (int i = 0; i < 3000; i++) {
        seed = seed * 69069 + 1;
        touch((int)((seed >> 20) % 8 * ((seed >> 24) % 8)), 10);
    }
    printf("misses %d:", misses);
    for (struct link *l = recent.after, *next; l != &recent; l = next) {
        struct page *p = container(l, struct page, recency);
        next = l->after;
        printf(" %d(%d)", p->number, p->hits);
        free(p);
    }
    putchar('\n');
    return 0;
}
