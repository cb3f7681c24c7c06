// steam: expect=destroyed
/* The lock is destroyed before the last thread that wants it has its turn. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t lock;
static sem_t go;

static void *locks(void *unused)
{
    sem_wait(&go);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&go, 0, 0);
    pthread_mutex_init(&lock, NULL);
    pthread_create(&thread, NULL, locks, NULL);
    pthread_mutex_destroy(&lock);
    sem_post(&go);
    pthread_join(thread, NULL);
    return 0;
}
