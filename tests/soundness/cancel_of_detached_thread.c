// steam: expect=no-such-thread
/* A thread is cancelled that was created detached, and may have ended before. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t begun;

static void *work(void *unused)
{
    sem_post(&begun);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sem_init(&begun, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, NULL);
    sem_wait(&begun);
    pthread_cancel(thread);
    return 0;
}
