// steam: expect=annotation
/* Who waits for a condition gives up the lock in the middle. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    int items;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void *get(void *unused)
{
    STEAM_OPERATION(&queue);
    pthread_mutex_lock(&queue.mutex);
    while (queue.items == 0)
        pthread_cond_wait(&queue.filled, &queue.mutex); /* ERROR */
    queue.items--;
    pthread_mutex_unlock(&queue.mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, get, NULL);
    pthread_mutex_lock(&queue.mutex);
    queue.items++;
    pthread_cond_signal(&queue.filled);
    pthread_mutex_unlock(&queue.mutex);
    pthread_join(thread, NULL);
    return 0;
}
