// steam: expect=assert
/* A thread sees what another one wrote after it had sent a signal, before the signal comes. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static _Atomic int sent, handled;

static void handle(int number)
{
    (void)number;
    handled = 1;
}

static void *work(void *unused)
{
    if (sent)
        assert(handled); /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, 0, work, 0);
    pthread_kill(thread, SIGUSR1);
    sent = 1;
    pthread_join(thread, 0);
    return 0;
}
