// steam: expect=deadlock
/* A thread detaches itself while another one joins it. The library looks when the join begins: one that has begun goes
 * on to wait, for a thread that waits in turn. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t asked;

static void *work(void *unused)
{
    pthread_detach(pthread_self());
    sem_wait(&asked);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&asked, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    int result = pthread_join(thread, NULL);
    assert(result == EINVAL);
    sem_post(&asked);
    return 0;
}
