// steam: expect=none flags=-DN=4
/* Philosophers who take the fork with the lower number first, eat once and count it. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 8
#endif

static pthread_mutex_t forks[N];
static int meals[N];

static void *dine(void *argument)
{
    int self = (int)(intptr_t)argument, other = (self + 1) % N;
    int low = self < other ? self : other, high = self < other ? other : self;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    meals[self]++;
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
        pthread_create(&threads[i], NULL, dine, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        assert(meals[i] == 1);
    }
    return 0;
}
