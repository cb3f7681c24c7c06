// no race
/* Locals of main, each lent to one thread, with a mutex for the one that both use. */
#include <assert.h>
#include <pthread.h>

struct work {
    pthread_mutex_t *lock;
    int *total;
    int part;
};

static void *add(void *argument)
{
    struct work *work = argument;
    work->part *= 2;
    pthread_mutex_lock(work->lock);
    *work->total += work->part;
    pthread_mutex_unlock(work->lock);
    return NULL;
}

int main(void)
{
    pthread_mutex_t lock;
    int total = 0;
    struct work works[2] = {{&lock, &total, 1}, {&lock, &total, 2}};
    pthread_t threads[2];
    pthread_mutex_init(&lock, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, &works[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(total == 6);
    pthread_mutex_destroy(&lock);
    return 0;
}
