// race: counter 19 19
// race: taken 16 18
// race: taken 16 20
// race: taken 18 18
// race: taken 18 20
// race: taken 20 20
/* A lock of one's own with a volatile integer: two may find it free. */
#include <pthread.h>
#include <sched.h>

static volatile int taken;
static int counter;

static void *count(void *unused)
{
    while (taken)
        sched_yield();
    taken = 1;
    counter++;
    taken = 0;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    return counter == 0;
}
