// steam: expect=none
/* A signal comes at the latest when its thread leaves the kernel. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic int sent, handled;

static void handle(int number)
{
    (void)number;
    handled = 1;
}

static void *work(void *unused)
{
    if (sent) {
        getppid();
        assert(handled);
    }
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
