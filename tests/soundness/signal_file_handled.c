// steam: expect=unknown
/* Who waits for a signal by a descriptor and by a handler is told so, or the other way round. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void handler(int signal)
{
    (void)signal;
}

static void *work(void *arg)
{
    kill(getpid(), SIGUSR1);
    return arg;
}

int main(void)
{
    pthread_t worker;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, handler);
    int signals = signalfd(-1, &set, 0);
    pthread_create(&worker, 0, work, 0);
    poll(&(struct pollfd){signals, POLLIN, 0}, 1, -1);
    pthread_join(worker, 0);
    return 0;
}
