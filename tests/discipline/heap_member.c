// lacks: box.free
/* A block of the heap with a member that no lock protects. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box { pthread_mutex_t lock; int value, free; };
static struct box *box;

static void *first(void *argument)
{
    pthread_mutex_lock(&box->lock);
    box->value++;
    pthread_mutex_unlock(&box->lock);
    box->free++;
    return argument;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&box->lock);
    box->value++;
    box->free++;
    pthread_mutex_unlock(&box->lock);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    box = calloc(1, sizeof *box);
    pthread_mutex_init(&box->lock, NULL);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);

    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
