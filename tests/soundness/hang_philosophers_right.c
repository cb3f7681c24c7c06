// steam: expect=none
/* Philosophers who eat forever, the last one with the other fork first: that they never end is no hang. */
#include <pthread.h>

static pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *argument)
{
    for (;;) {
        pthread_mutex_lock(&forks[0]);
        pthread_mutex_lock(&forks[1]);
        pthread_mutex_unlock(&forks[1]);
        pthread_mutex_unlock(&forks[0]);
    }
    return argument;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, dine, 0);
    pthread_create(&other, 0, dine, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
