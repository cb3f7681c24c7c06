// race: free_places 12 21
/* The answer of sem_getvalue goes to a variable that another thread reads. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t places;
static int free_places;

static void *count(void *unused)
{
    sem_getvalue(&places, &free_places);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&places, 0, 2);
    pthread_create(&thread, NULL, count, NULL);
    int early = free_places;
    pthread_join(thread, NULL);
    return early < 0;
}
