// steam: expect=unknown with=signal_file.h
/* Who waits for a signal by a descriptor and by a handler is told so, or the other way round. */
#include <poll.h>

#include "signal_file.h"

static void handler(int signal)
{
    (void)signal;
}

int main(void)
{
    pthread_t worker;
    sigset_t set = only(SIGUSR1);
    signal(SIGUSR1, handler);
    int signals = signalfd(-1, &set, 0);
    pthread_create(&worker, 0, send_once, (void *)SIGUSR1);
    poll(&(struct pollfd){signals, POLLIN, 0}, 1, -1);
    pthread_join(worker, 0);
    return 0;
}
