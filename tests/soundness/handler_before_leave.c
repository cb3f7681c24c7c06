// steam: expect=none
/* A handler comes where the stack pointer is about to be overwritten: its frame goes below it all the same. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t token;
static volatile int caught;
static int word;

static void take(int number)
{
    caught = number;
}

__attribute__((optimize("O0"))) static void *work(void *unused)
{
    sem_wait(&token);
    *(volatile int *)&word = 2;
    (void)unused;
    return 0;
}

int main(void)
{
    pthread_t thread;
    sem_init(&token, 0, 0);
    signal(SIGUSR1, take);
    pthread_create(&thread, NULL, work, NULL);
    sem_post(&token);
    int seen = *(volatile int *)&word;
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    assert((caught == SIGUSR1 || caught == 0) && (seen == 0 || seen == 2));
    return 0;
}
