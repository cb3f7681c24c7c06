// lacks: node.value
/* The list's lock is held while a node is put into the list, but its value is written behind that. */
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *head;
static int total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *consume(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (head)
        total += head->value;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consume, NULL);
    struct node *node = malloc(sizeof *node);
    pthread_mutex_lock(&mutex);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&mutex);
    node->value = 1;
    pthread_join(thread, NULL);
    return 0;
}
