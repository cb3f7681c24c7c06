/* A token goes round; each station that has it does some work and hands it on. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* How many kinds of work there are. */
#ifndef WORK
#define WORK 6
#endif

enum { STATIONS = 4 };
static atomic_int token;
static atomic_int work[STATIONS];

static void *station(void *argument)
{
    int self = *(int *)argument;
    for (;;) {
        while (atomic_load(&token) != self)
            atomic_store(&work[self], (atomic_load(&work[self]) + 1) % WORK);
        atomic_store(&token, (self + 1) % STATIONS);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[STATIONS];
    int selves[STATIONS];
    for (int i = 0; i < STATIONS; i++) {
        selves[i] = i;
        pthread_create(&threads[i], NULL, station, &selves[i]);
    }
    for (int i = 0; i < STATIONS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
