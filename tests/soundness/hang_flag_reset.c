// steam: expect=hang
/* Who resets a flag before waiting for it waits forever if it was set before. */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int flag;

static void *set(void *argument)
{
    flag = 1;
    return argument;
}

static void *wait_for_it(void *argument)
{
    flag = 0;
    while (!flag)
        ;
    return argument;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, set, 0);
    pthread_create(&other, 0, wait_for_it, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
