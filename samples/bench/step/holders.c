/* THREADS threads that each hold a lock of their own. When all do, STEPPING of them take and release
 * another lock of their own for ever; the others wait for the one that main never unlocks. */
#include <limits.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 10
#endif
#ifndef STEPPING
#define STEPPING 10
#endif

static pthread_mutex_t held[THREADS], taken[THREADS], closed = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_hold;

static void *hold(void *argument)
{
    int number = (int)(long)argument;
    pthread_mutex_lock(&held[number]);
    pthread_barrier_wait(&all_hold);
    if (number >= STEPPING)
        pthread_mutex_lock(&closed);
    for (;;) {
        pthread_mutex_lock(&taken[number]);
        pthread_mutex_unlock(&taken[number]);
    }
    return NULL;
}

int main(void)
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    pthread_mutex_lock(&closed);
    pthread_barrier_init(&all_hold, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        pthread_mutex_init(&held[i], NULL);
        pthread_mutex_init(&taken[i], NULL);
        if (pthread_create(&thread, &small, hold, (void *)(long)i) != 0)
            return 2;
    }
    pthread_join(thread, NULL);
    return 0;
}
