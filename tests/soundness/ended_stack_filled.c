// steam: expect=use-after-return
/* Only the other thread ever touches the buffer, and its last operation before that lets the owner end. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready, done;
static volatile char *shown;

static void *work(void *unused)
{
    char buffer[100];
    shown = buffer;
    sem_post(&ready);
    sem_wait(&done);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&ready);
    sem_post(&done);
    shown[50] = 1; /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
