/* Dining philosophers who think and eat for ever: finitely many states, one of them a deadlock. */
#include <pthread.h>

#ifndef N
#define N 12
#endif

static pthread_mutex_t forks[N];

static void *dine(void *seat)
{
    int number = (int)(long)seat;
    pthread_mutex_t *left = &forks[number], *right = &forks[(number + 1) % N];
    for (;;) {
        pthread_mutex_lock(left);
        pthread_mutex_lock(right); /* ERROR */
        pthread_mutex_unlock(right);
        pthread_mutex_unlock(left);
    }
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
