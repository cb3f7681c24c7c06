// steam: expect=deadlock args=3 endless
/* The model `philo` on POSIX threads: philosophers who think and eat for ever, and take the left fork
 * first. When each holds one, nobody gets another. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N 3
#endif

enum { MOST = 4000 };

static pthread_mutex_t forks[MOST];
static int count = N;

static void *dine(void *argument)
{
    int seat = (int)(long)argument;
    pthread_mutex_t *left = &forks[seat], *right = &forks[(seat + 1) % count];
    for (;;) {
        pthread_mutex_lock(left);
        pthread_mutex_lock(right); /* ERROR */
        pthread_mutex_unlock(right);
        pthread_mutex_unlock(left);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_attr_t small;
    pthread_t thread;
    if (argc > 1)
        count = atoi(argv[1]);
    if (count < 2 || count > MOST)
        return 2;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    for (int i = 0; i < count; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < count; i++) {
        if (pthread_create(&thread, &small, dine, (void *)(long)i) != 0)
            return 3;
    }
    pthread_join(thread, NULL);
    return 0;
}
