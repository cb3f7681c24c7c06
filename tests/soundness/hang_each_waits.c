// steam: expect=hang
/* Each waits in a loop for what the other one would do after its own loop: by a yield, by a sleep, by a
   compare-and-swap that fails. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic int flag, turn;

static void *first(void *argument)
{
    while (turn != 1)
        sched_yield();
    flag = 1;
    return argument;
}

static void *second(void *argument)
{
    int one = 1;
    while (!atomic_compare_exchange_strong(&flag, &one, 2)) {
        one = 1;
        usleep(10);
    }
    turn = 1;
    return argument;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
