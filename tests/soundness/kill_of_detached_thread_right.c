// steam: expect=none
/* A detached thread that still waits is asked for, and so is the first thread. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t asked;
static pthread_t first;

static void *work(void *unused)
{
    pthread_kill(first, 0);
    sem_wait(&asked);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    first = pthread_self();
    sem_init(&asked, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, NULL);
    pthread_kill(thread, 0);
    sem_post(&asked);
    pthread_exit(NULL);
}
