// steam: expect=none
/* While no other thread is there, everything is one operation. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void twice(void)
{
    STEAM_OPERATION(&value);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        value++;
        pthread_mutex_unlock(&mutex);
    }
}

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    value++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    twice();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    twice();
    VASSERT(value == 6);
    return 0;
}
