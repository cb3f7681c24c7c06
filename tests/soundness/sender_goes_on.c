// steam: expect=assert
/* Who sends a signal to its process goes on before another thread has taken it, or takes it itself. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile int sent;
static volatile int seen;

static void look(int number)
{
    (void)number;
    seen = 1 + sent;
}

static void *work(void *unused)
{
    kill(getpid(), SIGUSR1);
    sent = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, look);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(seen != 2); /* ERROR */
    return 0;
}
