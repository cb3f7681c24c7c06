// steam: expect=signal with=signal_file.h
/* A signal that nobody blocks ends the process, whoever reads it. */
#include "signal_file.h"

int main(void)
{
    pthread_t worker;
    sigset_t set = only(SIGUSR1);
    int signals = signalfd(-1, &set, 0);
    pthread_create(&worker, 0, send_once, (void *)SIGUSR1);
    next_signal(signals);
    pthread_join(worker, 0);
    return 0;
}
