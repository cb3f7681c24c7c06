// steam: expect=deadlock always
/* A rendezvous in the wrong order: each waits for the other one before it says that it is there. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t first_here, second_here;

static void *first(void *unused)
{
    (void)unused;
    sem_wait(&second_here); /* ERROR */
    sem_post(&first_here);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    sem_wait(&first_here);
    sem_post(&second_here);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    sem_init(&first_here, 0, 0);
    sem_init(&second_here, 0, 0);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
