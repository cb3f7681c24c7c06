// steam: expect=none
/* A pool of two places for three visitors; who finds none goes away, by sem_trywait. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t places;
static atomic_int seated, gone;

static void *visit(void *unused)
{
    (void)unused;
    if (sem_trywait(&places) == 0)
        atomic_fetch_add(&seated, 1);
    else
        atomic_fetch_add(&gone, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    int left;
    sem_init(&places, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, visit, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    sem_getvalue(&places, &left);
    assert(left == 0 && seated == 2 && gone == 1);
    return 0;
}
