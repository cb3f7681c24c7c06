// steam: expect=assert
/* Nothing comes between the semaphore and the look whether to end, but the request to end may. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t begun;

static void *looks(void *unused)
{
    sem_post(&begun);
    pthread_testcancel();
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    sem_init(&begun, 0, 0);
    pthread_create(&thread, NULL, looks, NULL);
    sem_wait(&begun);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result != PTHREAD_CANCELED); /* ERROR */
    return 0;
}
