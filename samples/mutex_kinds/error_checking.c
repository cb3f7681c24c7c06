// steam: expect=none
/* An error-checking mutex says what is wrong instead of hanging, and trylock never waits. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int count, busy;

static void *work(void *unused)
{
    (void)unused;
    assert(pthread_mutex_unlock(&lock) == EPERM);
    if (pthread_mutex_trylock(&lock) == EBUSY) {
        pthread_mutex_lock(&lock);
        busy++;
    }
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 2 && busy <= 1);
    return 0;
}
