// steam: expect=bad-unlock
/* One thread unlocks what another one locked: the lock no longer protects anything. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (pthread_mutex_trylock(&lock) != 0)
        pthread_mutex_unlock(&lock); /* ERROR */
    else
        pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
