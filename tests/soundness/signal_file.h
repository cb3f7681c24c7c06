/* Signals behind descriptors (signalfd). */
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static inline sigset_t only(int signal)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    return set;
}

/* A descriptor from which a signal is read, which the thread and those that it creates block. */
static inline int signal_file(int signal, int flags)
{
    sigset_t set = only(signal);
    sigprocmask(SIG_BLOCK, &set, 0);
    return signalfd(-1, &set, flags);
}

/* The next signal that comes by a descriptor. */
static inline struct signalfd_siginfo next_signal(int signals)
{
    struct signalfd_siginfo record = {0};
    read(signals, &record, sizeof record);
    return record;
}

/* A thread that sends its process a signal, once. */
static inline void *send_once(void *signal)
{
    kill(getpid(), (int)(long)signal);
    return NULL;
}
