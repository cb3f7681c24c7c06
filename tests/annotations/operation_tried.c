// steam: expect=annotation
/* Somebody sees that the lock is taken, and so that the operation is under way. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *unused)
{
    STEAM_OPERATION(&counter);
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex); /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
