// lacks nothing
/* A node is allocated and initialised without a lock while other threads live; only then it is put into the
 * list, under the list's lock: nobody else can know of it before. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    char text[8];
    struct node *next;
};

static struct node *head;
static int total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *consume(void *unused)
{
    pthread_mutex_lock(&mutex);
    struct node *node = head;
    if (node) {
        head = node->next;
        total += node->value + node->text[0];
    }
    pthread_mutex_unlock(&mutex);
    free(node);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consume, NULL);
    struct node *node = malloc(sizeof *node);
    memset(node, 0, sizeof *node);
    node->value = 1;
    strcpy(node->text, "ab");
    pthread_mutex_lock(&mutex);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
