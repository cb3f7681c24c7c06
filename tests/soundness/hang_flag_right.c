// steam: expect=none
/* The same without the reset: the loop ends in every schedule. */
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
