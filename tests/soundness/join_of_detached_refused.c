// steam: expect=none
/* The library refuses at once to join a detached thread that lives, and the program looks. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t asked;

static void *work(void *unused)
{
    sem_wait(&asked);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&asked, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    int result = pthread_join(thread, NULL);
    assert(result == EINVAL);
    sem_post(&asked);
    return 0;
}
