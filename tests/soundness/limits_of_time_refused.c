// steam: expect=none
/* A limit of time whose nanoseconds are more than a second is refused: by a mutex only where it has to be
   waited for, by all others at once. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;

static void try_all(long nanoseconds)
{
    struct timespec limit = {.tv_sec = 2000000000, .tv_nsec = nanoseconds};
    assert(pthread_mutex_timedlock(&taken, &limit) == EINVAL);
    assert(pthread_mutex_timedlock(&own, &limit) == 0);
    assert(pthread_cond_timedwait(&condition, &own, &limit) == EINVAL);
    assert(pthread_mutex_unlock(&own) == 0);
    assert(sem_timedwait(&semaphore, &limit) == -1 && errno == EINVAL);
    assert(pthread_rwlock_timedrdlock(&shared, &limit) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&shared, &limit) == EINVAL);
    assert(pthread_rwlock_trywrlock(&shared) == 0);
    assert(pthread_rwlock_unlock(&shared) == 0);
}

static void *other(void *unused)
{
    try_all(1000000000);
    try_all(-1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int value;
    sem_init(&semaphore, 0, 1);
    pthread_mutex_lock(&taken);
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    assert(sem_getvalue(&semaphore, &value) == 0 && value == 1);
    pthread_mutex_unlock(&taken);
    return 0;
}
