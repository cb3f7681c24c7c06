// steam: expect=none
/* Locks with a static initialiser are set to zero, copied and made anew while no thread holds them. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct shared {
    pthread_mutex_t mutex;
    pthread_rwlock_t lock;
    pthread_cond_t condition;
    int ready;
};

static struct shared first = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER, PTHREAD_COND_INITIALIZER, 0
};

static void use(struct shared *shared)
{
    pthread_mutex_lock(&shared->mutex);
    shared->ready++;
    pthread_cond_signal(&shared->condition);
    pthread_mutex_unlock(&shared->mutex);
    pthread_rwlock_rdlock(&shared->lock);
    pthread_rwlock_rdlock(&shared->lock);
    pthread_rwlock_unlock(&shared->lock);
    pthread_rwlock_unlock(&shared->lock);
    pthread_rwlock_wrlock(&shared->lock);
    pthread_rwlock_unlock(&shared->lock);
}

static void *waits(void *argument)
{
    struct shared *shared = argument;
    pthread_mutex_lock(&shared->mutex);
    while (!shared->ready)
        pthread_cond_wait(&shared->condition, &shared->mutex);
    pthread_mutex_unlock(&shared->mutex);
    use(shared);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct shared copy;
    memset(&first.mutex, 0, sizeof first.mutex);
    pthread_create(&thread, NULL, waits, &first);
    use(&first);
    pthread_join(thread, NULL);
    copy = first;
    use(&copy);
    struct shared *moved = malloc(sizeof *moved);
    *moved = copy;
    use(moved);
    first.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    memset(&first.lock, 0, sizeof first.lock);
    use(&first);
    free(moved);
    return 0;
}
