// steam: expect=none
/* The same; the program looks at the answer. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t detached, end;

static void *work(void *unused)
{
    assert(pthread_detach(pthread_self()) == 0);
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
    int answer = pthread_detach(thread);
    assert(answer == EINVAL);
    sem_post(&end);
    return 0;
}
