// steam: expect=none
/* Who wakes others under the lock does one operation; who waits says nothing. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    int items;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void put(void)
{
    STEAM_OPERATION(&queue);
    pthread_mutex_lock(&queue.mutex);
    queue.items++;
    pthread_cond_signal(&queue.filled);
    pthread_mutex_unlock(&queue.mutex);
}

static void *get(void *unused)
{
    pthread_mutex_lock(&queue.mutex);
    while (queue.items == 0)
        pthread_cond_wait(&queue.filled, &queue.mutex);
    queue.items--;
    pthread_mutex_unlock(&queue.mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, get, NULL);
    put();
    pthread_join(thread, NULL);
    VASSERT(queue.items == 0);
    return 0;
}
