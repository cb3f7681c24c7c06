// race: stop 14 22
// race by C11 only: result 13 24
/* A volatile flag ends a loop. The flag is a race; what was written before it is not accessed side
 * by side, though C orders nothing by it. */
#include <pthread.h>
#include <sched.h>

static volatile int stop;
static int result;

static void *work(void *unused)
{
    result = 33;
    stop = 1;
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    while (!stop)
        sched_yield();
    int seen = result;
    pthread_join(worker, NULL);
    return seen != 33;
}
