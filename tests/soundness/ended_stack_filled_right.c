// steam: expect=none
/* The owner waits until the other thread has filled its buffer; what it leaves is on the heap, and its own
 * thread-local storage is read by the function that joins it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t ready, done;
static char *shown;
static __thread int own;

static void *work(void *unused)
{
    char buffer[100];
    shown = buffer;
    sem_post(&ready);
    sem_wait(&done);
    char *result = malloc(1);
    *result = buffer[50] + own;
    return result;
}

int main(void)
{
    pthread_t thread;
    char *result;
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&ready);
    shown[50] = 1;
    sem_post(&done);
    pthread_join(thread, (void **)&result);
    int wrong = *result != 1;
    free(result);
    return wrong;
}
