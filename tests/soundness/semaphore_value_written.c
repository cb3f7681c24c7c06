// steam: expect=assert
/* The answer of sem_getvalue goes to a variable that another thread reads twice. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t places;
static volatile int free_places = -1;

static void *count(void *unused)
{
    sem_getvalue(&places, (int *)&free_places);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&places, 0, 2);
    pthread_create(&thread, NULL, count, NULL);
    int before = free_places;
    int behind = free_places;
    assert(before == behind);
    pthread_join(thread, NULL);
    return 0;
}
