// race: turn 24 32
// race: turn 26 32
// race: wants[0] 22 23
// race: wants[0] 23 33
// race: wants[1] 22 23
// race: wants[1] 23 25
// race: wants[1] 23 33
// race by C11 only: shared 31 31
// race by C11 only: turn 32 32
// race by C11 only: wants[1] 23 28
/* Dekker's lock with volatile integers. It excludes if memory is sequentially consistent; its own
 * words are races. The turn begins with thread 0, which therefore never steps back. */
#include <pthread.h>
#include <sched.h>

static volatile int wants[2], turn;
static int shared;

static void *enter(void *argument)
{
    int me = *(int *)argument, other = 1 - me;
    wants[me] = 1;
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                sched_yield();
            wants[me] = 1;
        }
    }
    shared = shared * 3 + 1;
    turn = other;
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
    return shared != 4;
}
