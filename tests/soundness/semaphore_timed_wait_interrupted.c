// steam: expect=assert
/* A handler ends a wait with a limit of time, also where calls are begun again after it. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static sem_t semaphore;
static pthread_t waiter;

static void handle(int number)
{
    (void)number;
}

static void *send(void *unused)
{
    pthread_kill(waiter, SIGUSR1);
    return unused;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    struct timespec limit = {.tv_sec = 2000000000};
    pthread_t sender;
    sem_init(&semaphore, 0, 0);
    sigaction(SIGUSR1, &action, 0);
    waiter = pthread_self();
    pthread_create(&sender, 0, send, 0);
    int result = sem_timedwait(&semaphore, &limit);
    assert(result < 0 && errno == ETIMEDOUT); /* ERROR */
    pthread_join(sender, 0);
}
