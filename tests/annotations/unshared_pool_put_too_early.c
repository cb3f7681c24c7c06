// steam: expect=annotation
/* The buffer goes back to the pool while the thread still has it for itself: another one may take it. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static int buffer[2];
static int *unused = buffer;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int *take(void)
{
    pthread_mutex_lock(&mutex);
    int *taken = unused;
    unused = NULL;
    pthread_mutex_unlock(&mutex);
    if (taken)
        steam_unshared(taken, sizeof buffer); /* ERROR */
    return taken;
}

static void put(int *taken)
{
    pthread_mutex_lock(&mutex);
    unused = taken;
    pthread_mutex_unlock(&mutex);
    steam_shared(taken, sizeof buffer);
}

static void *work(void *argument)
{
    int *taken = take();
    if (taken) {
        taken[0]++;
        put(taken);
    }
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
