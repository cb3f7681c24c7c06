// no race
/* A signal handler runs in the thread that it interrupts: not a race between threads. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t caught;

static void count(int number)
{
    caught += number == SIGUSR1;
}

int main(void)
{
    signal(SIGUSR1, count);
    caught = 0;
    raise(SIGUSR1);
    caught++;
    assert(caught == 2);
    return 0;
}
