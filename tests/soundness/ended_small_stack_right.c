// steam: expect=none
/* Small stacks, one after the other: each thread waits until its variable was read, and what the library keeps for it is
 * read by the function that joins it. */
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready, done;
static int *shown;

static void *work(void *result)
{
    int count = 7;
    shown = &count;
    sem_post(&ready);
    sem_wait(&done);
    return result;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    for (int round = 0; round < 2; round++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, &attributes, work, &attributes);
        sem_wait(&ready);
        *shown = 8;
        sem_post(&done);
        pthread_join(thread, &result);
        if (result != &attributes)
            return 1;
    }
    return 0;
}
