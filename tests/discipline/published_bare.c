// lacks: head
// lacks: node.value
/* A node is put into the list without a lock, and initialised behind that: others may see it at once. */
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    int weight;
};

static struct node *head;
static int total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *consume(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (head)
        total += head->value + head->weight;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consume, NULL);
    struct node *node = malloc(sizeof *node);
    node->weight = 3;
    head = node;
    node->value = 1;
    pthread_join(thread, NULL);
    return 0;
}
