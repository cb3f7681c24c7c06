// steam: expect=assert
/* Looks whether the other one wants to enter, and only then says so itself: both can get in. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2];
static volatile int inside;

static void *compete(void *argument)
{
    int self = *(int *)argument, other = 1 - self;
    while (atomic_load(&wants[other]))
        sched_yield();
    atomic_store(&wants[self], 1);
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
