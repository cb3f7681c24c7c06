// steam: expect=deadlock
/* Plain signals that come twice before they are read are read once. */
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void *work(void *arg)
{
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR1);
    return arg;
}

int main(void)
{
    pthread_t worker;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    int signals = signalfd(-1, &set, 0);
    pthread_create(&worker, 0, work, 0);
    for (int i = 0; i < 2; i++) {
        struct signalfd_siginfo record;
        read(signals, &record, sizeof record);
    }
    pthread_join(worker, 0);
    return 0;
}
