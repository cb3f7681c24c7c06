// steam: expect=assert
/* A thread that waits in a call gets what it waits for, and then the signal that was sent before that. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static int ends[2];
static _Atomic int written;

static void handle(int number)
{
    (void)number;
    struct pollfd wanted = {.fd = ends[0], .events = POLLIN};
    if (written)
        assert(poll(&wanted, 1, 0) == 1); /* ERROR */
}

static void *work(void *unused)
{
    char byte;
    read(ends[0], &byte, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, 0);
    pipe(ends);
    pthread_create(&thread, 0, work, 0);
    pthread_kill(thread, SIGUSR1);
    write(ends[1], "a", 1);
    written = 1;
    pthread_join(thread, 0);
    return 0;
}
