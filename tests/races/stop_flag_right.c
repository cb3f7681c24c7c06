// no race
/* An atomic flag ends the worker's loop. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool stop;

static void *work(void *unused)
{
    while (!stop)
        sched_yield();
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    stop = true;
    pthread_join(worker, NULL);
    return 0;
}
