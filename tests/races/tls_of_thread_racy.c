// race: progress 13 20
/* A variable that a created thread has for itself lies above its stack; another thread has its address. */
#include <pthread.h>
#include <semaphore.h>

static __thread int progress;
static int *shown;
static sem_t there, done;
static void *work(void *unused)
{
    shown = &progress;
    sem_post(&there);
    progress++;
    sem_wait(&done);
    return unused;
}
static void look(void)
{
    sem_wait(&there);
    *shown = 3;
    sem_post(&done);
}
int main(void)
{
    pthread_t thread;
    sem_init(&there, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    look();
    pthread_join(thread, NULL);
    return 0;
}
