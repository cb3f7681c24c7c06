// steam: expect=deadlock
/* Who waits in poll is not woken by the closing of the descriptor. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *watch(void *argument)
{
    struct pollfd line = {.fd = ends[0], .events = POLLIN};
    poll(&line, 1, -1);
    return argument;
}

int main(void)
{
    pthread_t watcher;
    pipe(ends);
    pthread_create(&watcher, 0, watch, 0);
    close(ends[0]);
    pthread_join(watcher, 0);
}
