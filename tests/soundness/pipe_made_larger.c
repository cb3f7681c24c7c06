// steam: expect=none
/* A pipe is made larger while more than it holds is written to it: whoever waits for room goes on. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static char much[131072];

static void *work(void *unused)
{
    fcntl(ends[1], F_SETPIPE_SZ, 131072);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, work, NULL);
    write(ends[1], much, sizeof much);
    pthread_join(thread, NULL);
    return 0;
}
