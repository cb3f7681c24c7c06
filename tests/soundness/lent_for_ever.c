// steam: expect=deadlock accesses=unknown
/* A child of `vfork` waits for ever, and so does the thread whose memory it has. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *lends(void *unused)
{
    char byte;
    if (vfork() == 0) {
        read(ends[0], &byte, 1);
        _exit(0);
    }
    write(ends[1], "x", 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, 0, lends, 0);
    pthread_join(thread, 0);
    return 0;
}
