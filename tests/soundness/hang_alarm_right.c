// steam: expect=none
/* The handler of an alarm ends the loop. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void handle(int signal)
{
    stop = signal;
}

static void *wait_for_it(void *argument)
{
    while (!stop)
        usleep(1);
    return argument;
}

int main(void)
{
    pthread_t waiter;
    signal(SIGALRM, handle);
    alarm(1);
    pthread_create(&waiter, 0, wait_for_it, 0);
    pthread_join(waiter, 0);
    return 0;
}
