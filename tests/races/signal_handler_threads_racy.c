// race: caught 10 10
/* The same handler runs in two threads, each with a signal of its own. */
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t caught;

static void count(int number)
{
    caught += number == SIGUSR1;
}

static void *work(void *unused)
{
    raise(SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, count);
    pthread_create(&thread, NULL, work, NULL);
    raise(SIGUSR1);
    pthread_join(thread, NULL);
    return caught == 0;
}
