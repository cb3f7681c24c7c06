// steam: expect=use-after-return
/* A small stack that one detached thread leaves to the next is nobody's when that one has ended, too. */
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ended;
static _Atomic(int *) shown;

static void *work(void *shows)
{
    int count = 7;
    if (shows)
        shown = &count;
    sem_post(&ended);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sem_init(&ended, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, NULL);
    sem_wait(&ended);
    pthread_create(&thread, &attributes, work, &ended);
    sem_wait(&ended);
    return *shown == 8; /* ERROR */
}
