// race: top 17 18
// race: top 18 18
/* A list onto which two threads push with plain accesses. */
#include <pthread.h>
#include <stddef.h>

struct node {
    struct node *next;
};

static struct node *top;
static struct node nodes[2];

static void *push(void *argument)
{
    struct node *node = argument;
    node->next = top;
    top = node;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, push, &nodes[0]);
    push(&nodes[1]);
    pthread_join(thread, NULL);
    return top == NULL;
}
