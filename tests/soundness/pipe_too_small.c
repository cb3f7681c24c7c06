// steam: expect=deadlock
/* A pipe is made smaller before two pages are written to it, which nobody reads meanwhile. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static char much[8192];

static void *work(void *unused)
{
    fcntl(ends[1], F_SETPIPE_SZ, 4096);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, work, NULL);
    write(ends[1], much, sizeof much); /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
