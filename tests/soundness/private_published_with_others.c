// steam: expect=assert racy
/* What is published leads to another block, which is changed afterwards in the same step. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *volatile head;

static void *look(void *unused)
{
    (void)unused;
    struct node *first = head;
    if (first && ((volatile struct node *)first)->next)
        assert(((volatile struct node *)first->next)->value != 1); /* ERROR */
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    struct node *first = calloc(1, sizeof *first);
    struct node *second = calloc(1, sizeof *second);
    ((volatile struct node *)first)->next = second;
    head = first;
    ((volatile struct node *)second)->value = 1;
    ((volatile struct node *)second)->value = 2;
    pthread_join(thread, NULL);
    return 0;
}
