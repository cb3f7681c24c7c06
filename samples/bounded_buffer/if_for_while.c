// steam: expect=assert
/* A consumer that waits with `if`: between the signal and its return from the wait another consumer
 * takes the item, and the buffer is empty again. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { ROOM = 2 };

static int used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void put(void)
{
    pthread_mutex_lock(&lock);
    if (used < ROOM)
        used++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static void take(void)
{
    pthread_mutex_lock(&lock);
    if (used == 0)
        pthread_cond_wait(&not_empty, &lock);
    assert(used > 0); /* ERROR */
    used--;
    pthread_mutex_unlock(&lock);
}

static void *produce(void *unused)
{
    (void)unused;
    put();
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
    pthread_create(&threads[0], NULL, consume, NULL);
    pthread_create(&threads[1], NULL, consume, NULL);
    pthread_create(&threads[2], NULL, produce, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
