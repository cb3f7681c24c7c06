// steam: expect=none
/* A thread that waits in a loop for what its handler writes: however late the signal is, it comes. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static _Atomic int handled;

static void handle(int number)
{
    (void)number;
    handled = 1;
}

static void *work(void *unused)
{
    while (!handled)
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, 0, work, 0);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    return 0;
}
