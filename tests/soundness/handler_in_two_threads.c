// steam: expect=assert
/* A handler is no part of the function, such as raise, in which its signal comes: the same one runs in two
 * threads, and an update is lost. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
static volatile int caught;
static void count(int number)
{
    int old = caught;
    caught = old + (number == SIGUSR1);
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
    assert(caught == 2);
    return 0;
}
