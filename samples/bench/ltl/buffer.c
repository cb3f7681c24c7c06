/* Producers and consumers around a bounded buffer with a mutex and two conditions, without an end. */
#include <pthread.h>
#include <stddef.h>

enum { ROOM = 2, PEOPLE = 3, KINDS = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int items[ROOM], count, first;

static void *produce(void *argument)
{
    int self = *(int *)argument;
    for (int next = self;; next = (next + 1) % KINDS) {
        pthread_mutex_lock(&mutex);
        while (count == ROOM)
            pthread_cond_wait(&emptied, &mutex);
        items[(first + count) % ROOM] = next;
        count++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *consume(void *argument)
{
    (void)argument;
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (count == 0)
            pthread_cond_wait(&filled, &mutex);
        first = (first + 1) % ROOM;
        count--;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2 * PEOPLE];
    int selves[PEOPLE];
    for (int i = 0; i < PEOPLE; i++) {
        selves[i] = i;
        pthread_create(&threads[i], NULL, produce, &selves[i]);
        pthread_create(&threads[PEOPLE + i], NULL, consume, NULL);
    }
    for (int i = 0; i < 2 * PEOPLE; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
