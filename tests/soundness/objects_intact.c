// steam: expect=none
/* Objects that are initialised in memory that held other things, used, destroyed and made again. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct objects {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    pthread_rwlock_t lock;
    pthread_barrier_t barrier;
};

static void *wait(void *barrier)
{
    pthread_barrier_wait(barrier);
    return NULL;
}

static void use(struct objects *objects)
{
    pthread_t thread;
    memset(objects, 0x55, sizeof *objects);
    assert(pthread_mutex_init(&objects->mutex, NULL) == 0);
    assert(pthread_cond_init(&objects->condition, NULL) == 0);
    assert(pthread_rwlock_init(&objects->lock, NULL) == 0);
    assert(pthread_barrier_init(&objects->barrier, NULL, 2) == 0);
    pthread_mutex_lock(&objects->mutex);
    pthread_cond_signal(&objects->condition);
    pthread_mutex_unlock(&objects->mutex);
    pthread_rwlock_rdlock(&objects->lock);
    pthread_rwlock_unlock(&objects->lock);
    pthread_create(&thread, NULL, wait, &objects->barrier);
    pthread_barrier_wait(&objects->barrier);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&objects->barrier);
    pthread_rwlock_destroy(&objects->lock);
    pthread_cond_destroy(&objects->condition);
    pthread_mutex_destroy(&objects->mutex);
}

int main(void)
{
    struct objects here, *there = malloc(sizeof *there);
    pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER, same = fresh;
    use(&here);
    use(there);
    use(there);
    free(there);
    pthread_mutex_lock(&same);
    return pthread_mutex_unlock(&same);
}
