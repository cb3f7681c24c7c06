// steam: expect=detached-twice
/* A thread detaches itself, and the one that has created it does so, too: whoever comes second is refused, unless the
 * thread has ended before. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t detached, end;

static void *work(void *unused)
{
    pthread_detach(pthread_self());
    sem_post(&detached);
    sem_wait(&end);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&detached, 0, 0);
    sem_init(&end, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&detached);
    pthread_detach(thread); /* ERROR */
    sem_post(&end);
    return 0;
}
