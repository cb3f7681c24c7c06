// steam: expect=use-after-return
/* A mutex on the stack of a thread that is told too early that it may end: the unlock comes too late. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready, done;
static pthread_mutex_t *shown;

static void *work(void *unused)
{
    /* The library uses what is above when the thread ends. */
    struct { pthread_mutex_t mutex; char above[8000]; } own;
    pthread_mutex_init(&own.mutex, NULL);
    shown = &own.mutex;
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
    pthread_mutex_lock(shown);
    sem_post(&done);
    pthread_mutex_unlock(shown); /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
