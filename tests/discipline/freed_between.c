// lacks: node.value
// plain lacks nothing
/* A block is filled without a lock after an operation that shows it to nobody, shared under a lock and freed; a
 * later one lies at the same place. It is another object, which nobody shares yet. */
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
};

static struct node *shown;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (shown)
        shown->value++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void show(struct node *node)
{
    pthread_mutex_lock(&mutex);
    shown = node;
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    for (int round = 0; round < 3; round++) {
        struct node *node = malloc(sizeof *node);
        pthread_mutex_lock(&other);
        pthread_mutex_unlock(&other);
        node->value = round;
        show(node);
        show(NULL);
        free(node);
    }
    pthread_join(thread, NULL);
    return 0;
}
