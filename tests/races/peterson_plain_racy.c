// race: turn 20 20
// race: turn 20 24
// race: wants[0] 19 22
// race: wants[0] 22 29
// race: wants[1] 19 22
// race: wants[1] 22 29
// race by C11 only: counter 28 28
/* Peterson's lock with volatile integers. Where memory is sequentially consistent it does exclude,
 * so that the counter is never accessed side by side; the lock's own words are races. */
#include <pthread.h>
#include <sched.h>

static volatile int wants[2], turn;
static int counter;

static void *enter(void *argument)
{
    int me = *(int *)argument, other = 1 - me;
    wants[me] = 1;
    turn = other;
    for (;;) {
        if (!wants[other])
            break;
        if (turn != other)
            break;
        sched_yield();
    }
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
    return counter != 2;
}
