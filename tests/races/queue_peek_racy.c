// race: queue.count 15 25
/* The consumer looks without the lock whether there is something to take. */
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int items[2];
    int count;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *produce(void *unused)
{
    pthread_mutex_lock(&queue.lock);
    queue.items[queue.count] = 4;
    queue.count++;
    pthread_mutex_unlock(&queue.lock);
    return unused;
}

int main(void)
{
    pthread_t producer;
    int item = 4;
    pthread_create(&producer, NULL, produce, NULL);
    if (queue.count > 0) {
        pthread_mutex_lock(&queue.lock);
        item = queue.items[--queue.count];
        pthread_mutex_unlock(&queue.lock);
    }
    pthread_join(producer, NULL);
    return item != 4;
}
