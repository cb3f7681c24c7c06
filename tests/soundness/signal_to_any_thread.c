// steam: expect=assert
/* Any thread may take a signal that is sent to its process, while another one is in the handler. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile int caught;

static void count(int number)
{
    int old = caught;
    caught = old + (number == SIGUSR1);
}

static void *work(void *unused)
{
    kill(getpid(), SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, count);
    pthread_create(&thread, NULL, work, NULL);
    raise(SIGUSR1);
    pthread_join(thread, NULL);
    assert(caught == 2); /* ERROR */
    return 0;
}
