// steam: expect=deadlock
/* Two threads read and then want to write without giving the read lock back: each waits for the
 * other reader to leave. Even one waits for itself. */
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *update(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    if (hits == 0) {
        pthread_rwlock_wrlock(&lock); /* ERROR */
        hits++;
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, update, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
