// steam: expect=none
/* A handler runs while its thread waits for a condition, and the wait goes on. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t handled;
static int ready;

static void handle(int number)
{
    (void)number;
    sem_post(&handled);
}

static void *wait_for_it(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t waiter;
    sem_init(&handled, 0, 0);
    signal(SIGUSR1, handle);
    pthread_create(&waiter, 0, wait_for_it, 0);
    pthread_kill(waiter, SIGUSR1);
    sem_wait(&handled);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(waiter, 0);
    return 0;
}
