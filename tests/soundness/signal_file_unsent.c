// steam: expect=deadlock with=signal_file.h
/* Plain signals that come twice before they are read are read once. */
#include "signal_file.h"

static void *work(void *arg)
{
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR1);
    return arg;
}

int main(void)
{
    pthread_t worker;
    int signals = signal_file(SIGUSR1, 0);
    pthread_create(&worker, 0, work, 0);
    for (int i = 0; i < 2; i++)
        next_signal(signals);
    pthread_join(worker, 0);
    return 0;
}
