// race: counter 12 12
/* A semaphore that begins with two lets two in. */
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
    sem_init(&lock, 0, 2);
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    return counter == 0;
}
