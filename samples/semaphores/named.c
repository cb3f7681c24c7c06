// steam: expect=none
/* A named semaphore as a lock. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t *lock;
static int count;

static void *work(void *unused)
{
    (void)unused;
    sem_wait(lock);
    count++;
    sem_post(lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    char name[40];
    snprintf(name, sizeof name, "/steam-sample-%d", (int)getpid());
    lock = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
    assert(lock != SEM_FAILED);
    sem_unlink(name);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 2);
    sem_close(lock);
    return 0;
}
