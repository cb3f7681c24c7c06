// steam: expect=deadlock
/* A signal comes after the last operation of a thread and before its end: the handler takes back what
 * the thread has given. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t tokens;

static void handle(int number)
{
    (void)number;
    sem_trywait(&tokens);
}

static void *give(void *unused)
{
    sem_post(&tokens);
    return unused;
}

int main(void)
{
    pthread_t giver;
    signal(SIGUSR1, handle);
    sem_init(&tokens, 0, 0);
    pthread_create(&giver, NULL, give, NULL);
    pthread_kill(giver, SIGUSR1);
    sem_wait(&tokens); /* ERROR */
    pthread_join(giver, NULL);
    return 0;
}
