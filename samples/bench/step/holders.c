/* THREADS threads that each hold a lock of their own. When all do, STEPPING of them take and release
 * other locks of their own in turn, for ever; the others wait for what never comes. Each thread creates
 * the next one, so that there is one way only to get there: with the same STEPPING the search does the
 * same, whatever THREADS is. */
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 10
#endif
#ifndef STEPPING
#define STEPPING 10
#endif
#define ROUNDS 4

static pthread_mutex_t held[THREADS], taken[THREADS][ROUNDS];
static sem_t all_hold[THREADS], never;
static pthread_attr_t small;

static void create(int number);

static void *hold(void *argument)
{
    int number = (int)(long)argument;
    pthread_mutex_lock(&held[number]);
    if (number + 1 < THREADS) {
        create(number + 1);
    } else {
        for (int i = 0; i < STEPPING; i++)
            sem_post(&all_hold[i]);
    }
    sem_wait(number < STEPPING ? &all_hold[number] : &never);
    for (int round = 0;; round = (round + 1) % ROUNDS) {
        pthread_mutex_lock(&taken[number][round]);
        pthread_mutex_unlock(&taken[number][round]);
    }
    return NULL;
}

static void create(int number)
{
    pthread_t thread;
    pthread_mutex_init(&held[number], NULL);
    for (int i = 0; i < ROUNDS; i++)
        pthread_mutex_init(&taken[number][i], NULL);
    sem_init(&all_hold[number], 0, 0);
    if (pthread_create(&thread, &small, hold, (void *)(long)number) != 0)
        _Exit(2);
}

int main(void)
{
    sem_init(&never, 0, 0);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    create(0);
    sem_wait(&never);
    return 0;
}
