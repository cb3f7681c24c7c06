// steam: expect=annotation
/* The new thread may run before the rest of the operation. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    value++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static pthread_t begin(void)
{
    STEAM_OPERATION(&value);
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_mutex_lock(&mutex); /* ERROR */
    value++;
    pthread_mutex_unlock(&mutex);
    return thread;
}

int main(void)
{
    pthread_t other, thread;
    pthread_create(&other, NULL, add, NULL);
    thread = begin();
    pthread_join(thread, NULL);
    pthread_join(other, NULL);
    return 0;
}
