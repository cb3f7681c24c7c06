// steam: expect=assert
/* Threads that their creator detaches. Whether the first one has ended by then decides whether the
 * second one gets its number; but they run at the same time in some schedules. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static volatile int x;
static sem_t done;

static void *work(void *unused)
{
    (void)unused;
    x = 0;
    x++;
    assert(x == 1); /* ERROR */
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, work, NULL);
        pthread_detach(thread);
    }
    for (int i = 0; i < 2; i++)
        sem_wait(&done);
    return 0;
}
