// no race
/* Peterson's lock with atomics: what it guards is plain and free of races. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int counter;

static void *enter(void *argument)
{
    int me = *(int *)argument, other = 1 - me;
    wants[me] = 1;
    turn = other;
    while (wants[other] && turn == other)
        sched_yield();
    counter++;
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int zero = 0, one = 1;
    pthread_create(&thread, NULL, enter, &zero);
    enter(&one);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
