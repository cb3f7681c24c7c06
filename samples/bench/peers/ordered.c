/* Dining philosophers who all take the fork with the lower number first: nobody waits for ever. The
 * orders in which neighbours take their common fork make 2^N - 2 executions. */
#include <pthread.h>

#ifndef N
#define N 5
#endif

static pthread_mutex_t forks[N];

static void *dine(void *seat)
{
    int left = (int)(long)seat, right = (left + 1) % N;
    int low = left < right ? left : right, high = left < right ? right : left;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, dine, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
