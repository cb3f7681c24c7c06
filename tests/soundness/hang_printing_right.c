// steam: expect=none
/* A thread that prints again and again is no hang, even if nobody ends it. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic int stop;

static void *print(void *argument)
{
    while (!stop)
        write(1, ".", 1);
    return argument;
}

static void *nothing(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, print, 0);
    pthread_create(&other, 0, nothing, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
