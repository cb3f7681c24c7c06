// steam: expect=assert racy
/* The first thread that is created gets a block, to which its creator links another one in the same step. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static void *look(void *given)
{
    struct node *next = ((volatile struct node *)given)->next;
    if (next)
        assert(((volatile struct node *)next)->value == 2); /* ERROR */
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct node *given = calloc(1, sizeof *given);
    pthread_create(&thread, NULL, look, given);
    struct node *next = calloc(1, sizeof *next);
    ((volatile struct node *)next)->value = 1;
    ((volatile struct node *)given)->next = next;
    ((volatile struct node *)next)->value = 2;
    pthread_join(thread, NULL);
    return 0;
}
