/* Dining philosophers who each take the left fork, then the right one: all may hold the left one. */
#include <pthread.h>

#ifndef N
#define N 5
#endif

static pthread_mutex_t forks[N];

static void *dine(void *seat)
{
    int left = (int)(long)seat, right = (left + 1) % N;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]); /* ERROR */
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
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
