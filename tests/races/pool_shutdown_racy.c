// race: pool.stopped 14 28
/* The workers look at the pool's flag under the lock, and main sets it without. */
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int jobs, finished, stopped;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .jobs = 1};

static void *work(void *unused)
{
    for (int more = 1; more;) {
        pthread_mutex_lock(&pool.lock);
        more = pool.jobs > 0 && !pool.stopped;
        if (more) {
            pool.jobs--;
            pool.finished++;
        }
        pthread_mutex_unlock(&pool.lock);
    }
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pool.stopped = 1;
    pthread_join(worker, NULL);
    return pool.jobs + pool.finished != 1;
}
