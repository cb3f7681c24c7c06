// steam: expect=assert optimised=none racy
/* A semaphore that starts with 2 where 1 was meant: it does not exclude. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t room;
static int balance = 10;

static void *withdraw(void *unused)
{
    (void)unused;
    sem_wait(&room);
    if (balance >= 10)
        balance -= 10;
    sem_post(&room);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    sem_init(&room, 0, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, withdraw, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(balance >= 0); /* ERROR */
    return 0;
}
