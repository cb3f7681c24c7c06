// steam: expect=destroy-locked
/* Main tears the mutex down as soon as the work is done, and not when the thread has ended: the
 * thread may still hold it. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int count;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    count++;
    sem_post(&done);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&done);
    pthread_mutex_destroy(&lock); /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
