// no race
/* Producer and consumer with a slot and two semaphores, without a mutex. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t empty, full;
static int slot;

static void *produce(void *unused)
{
    for (int item = 1; item <= 2; item++) {
        sem_wait(&empty);
        slot = item;
        sem_post(&full);
    }
    return unused;
}

int main(void)
{
    pthread_t producer;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&producer, NULL, produce, NULL);
    for (int item = 1; item <= 2; item++) {
        sem_wait(&full);
        assert(slot == item);
        sem_post(&empty);
    }
    pthread_join(producer, NULL);
    return 0;
}
