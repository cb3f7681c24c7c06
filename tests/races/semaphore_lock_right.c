// no race
/* A semaphore that begins with one is a lock. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int counter;

static void *count(void *unused)
{
    sem_wait(&lock);
    counter++;
    sem_post(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&lock, 0, 1);
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2);
    sem_destroy(&lock);
    return 0;
}
