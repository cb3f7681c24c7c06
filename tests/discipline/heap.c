// lacks nothing
/* A block of the heap with its lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box { pthread_mutex_t lock; int value; };
static struct box *box;

static void *first(void *argument)
{
    pthread_mutex_lock(&box->lock);
    box->value++;
    pthread_mutex_unlock(&box->lock);
    return argument;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&box->lock);
    box->value++;
    pthread_mutex_unlock(&box->lock);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    box = malloc(sizeof *box);
    pthread_mutex_init(&box->lock, NULL);
    box->value = 7;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);

    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
