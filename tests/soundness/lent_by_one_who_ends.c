// steam: expect=none accesses=unknown
/* A process ends while a child of `vfork` of one of its threads has its memory: the child goes on with it. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int local;
static int ends[2];

static void *lends(void *unused)
{
    char byte;
    if (vfork() == 0) {
        close(ends[1]);
        local = 1;
        if (read(ends[0], &byte, 1) != 0 || local != 1)
            assert(0);
        _exit(0);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, 0, lends, 0);
    return 0;
}
