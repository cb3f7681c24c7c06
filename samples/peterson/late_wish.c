// steam: expect=assert
/* Peterson's mutual exclusion with its first two lines exchanged: both threads can get in. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static volatile int inside;

static void *compete(void *argument)
{
    int self = *(int *)argument, other = 1 - self;
    atomic_store(&turn, other);
    atomic_store(&wants[self], 1);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        sched_yield();
    inside++;
    assert(inside == 1); /* ERROR */
    inside--;
    atomic_store(&wants[self], 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int selves[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, compete, &selves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
