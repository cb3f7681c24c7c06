// steam: expect=deadlock
/* Both are operations, and a deadlock comes from what happens in their middle: a claim that is true must
 * not hide it. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    STEAM_OPERATION(&shared);
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    shared++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *work(void *unused)
{
    both(&left, &right);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    both(&right, &left);
    pthread_join(thread, NULL);
    return 0;
}
