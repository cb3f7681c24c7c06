// steam: expect=none
/* A signal that is not blocked ends the wait for it, and its handler does not run: that the wait is
 * interrupted, as by other signals, cannot be. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static pthread_t first;

static void handle(int signal)
{
    (void)signal;
}

static void *send(void *unused)
{
    pthread_kill(first, SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sigset_t set;
    struct timespec limit = {1, 0};
    int result;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, handle);
    first = pthread_self();
    pthread_create(&thread, NULL, send, NULL);
    result = sigtimedwait(&set, NULL, &limit);
    assert(result == SIGUSR1 || errno == EAGAIN);
    pthread_join(thread, NULL);
    return 0;
}
