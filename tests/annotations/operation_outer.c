// steam: expect=annotation
/* Each inner operation is one, the outer one is not. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void add(int amount)
{
    STEAM_OPERATION(&value);
    pthread_mutex_lock(&mutex); /* ERROR */
    value += amount;
    pthread_mutex_unlock(&mutex);
}

static void *twice(void *unused)
{
    STEAM_OPERATION(&value);
    add(1);
    add(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, twice, NULL);
    twice(NULL);
    pthread_join(thread, NULL);
    return 0;
}
