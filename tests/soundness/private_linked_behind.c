// steam: expect=assert racy
/* A block is linked to one that the other thread has, in the step in which it is still filled. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *head;

static void *look(void *unused)
{
    (void)unused;
    struct node *second = ((struct node *volatile *)&head->next)[0];
    if (second)
        assert(((volatile struct node *)second)->value == 2); /* ERROR */
    return NULL;
}

int main(void)
{
    pthread_t thread;
    head = calloc(1, sizeof *head);
    pthread_create(&thread, NULL, look, NULL);
    struct node *second = calloc(1, sizeof *second);
    ((volatile struct node *)second)->value = 1;
    ((struct node *volatile *)&head->next)[0] = second;
    ((volatile struct node *)second)->value = 2;
    pthread_join(thread, NULL);
    return 0;
}
