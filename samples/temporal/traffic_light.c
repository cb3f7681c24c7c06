// ltl: holds weak G !(light[0] == GREEN && light[1] == GREEN)
// ltl: holds weak G (waiting -> F light[0] == GREEN)
// ltl: holds weak G (light[1] == GREEN -> light[1] == GREEN W light[1] == YELLOW)
// ltl: violated weak F G light[0] == RED
// invariant: holds light[0] == RED || light[1] == RED
/* A crossing: a controller lets one road go, then the other; cars come to the first one. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum colour { RED, YELLOW, GREEN };
static _Atomic enum colour light[2];
static atomic_int waiting;

static void *control(void *argument)
{
    for (;;)
        for (int road = 0; road < 2; road++) {
            atomic_store(&light[road], GREEN);
            atomic_store(&light[road], YELLOW);
            atomic_store(&light[road], RED);
        }
    return argument;
}

static void *come(void *argument)
{
    for (;;) {
        atomic_store(&waiting, 1);
        while (atomic_load(&light[0]) != GREEN)
            ;
        atomic_store(&waiting, 0);
    }
    return argument;
}

int main(void)
{
    pthread_t controller, cars;
    pthread_create(&controller, NULL, control, NULL);
    pthread_create(&cars, NULL, come, NULL);
    pthread_join(controller, NULL);
    pthread_join(cars, NULL);
    return 0;
}
