// steam: expect=hang
/* Who ends with the lock leaves the one that tries to get it in its loop. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *keep(void *argument)
{
    pthread_mutex_lock(&lock);
    return argument;
}

static void *try(void *argument)
{
    while (pthread_mutex_trylock(&lock))
        sched_yield();
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, keep, 0);
    pthread_create(&other, 0, try, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
