// steam: expect=none args=2
/* A bounded buffer with a mutex and two condition variables, one producer and two consumers. The
 * argument is the number of items for each consumer. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { ROOM = 1 };

static int items[ROOM], used;
static int wanted = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (used == ROOM)
        pthread_cond_wait(&not_full, &lock);
    items[used++] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
    while (used == 0)
        pthread_cond_wait(&not_empty, &lock);
    int item = items[--used];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2 * wanted; i++)
        put(1);
    return NULL;
}

static void *consume(void *total)
{
    for (int i = 0; i < wanted; i++)
        *(int *)total += take();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t producer, consumers[2];
    int totals[2] = {0, 0};
    if (argc > 1)
        wanted = atoi(argv[1]);
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&consumers[i], NULL, consume, &totals[i]);
    pthread_join(producer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(consumers[i], NULL);
    assert(totals[0] == wanted && totals[1] == wanted && used == 0);
    return 0;
}
