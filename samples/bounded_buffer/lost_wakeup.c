// steam: expect=deadlock
/* A bounded buffer in which producers and consumers share one condition variable: a signal can wake
 * the wrong one, who finds nothing to do, and everybody sleeps. (Broadcast would be right.) */
#include <pthread.h>
#include <stddef.h>

enum { ROOM = 1, ROUNDS = 2 };

static int used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void put(void)
{
    pthread_mutex_lock(&lock);
    while (used == ROOM)
        pthread_cond_wait(&changed, &lock);
    used++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void take(void)
{
    pthread_mutex_lock(&lock);
    while (used == 0)
        pthread_cond_wait(&changed, &lock); /* ERROR */
    used--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *produce(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++)
        put();
    return NULL;
}

static void *consume(void *unused)
{
    (void)unused;
    take();
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, produce, NULL);
    pthread_create(&threads[1], NULL, consume, NULL);
    pthread_create(&threads[2], NULL, consume, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
