// steam: expect=assert
/* A copy looks at what another thread was at when it is the only process that is left. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static volatile int mine;

static void *writes(void *unused)
{
    mine = 1;
    mine = 2;
    return unused;
}

int main(void)
{
    int ends[2];
    char none;
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, 0, writes, 0);
    if (fork() == 0) {
        close(ends[1]);
        /* Until its parent has ended. */
        read(ends[0], &none, 1);
        assert(mine != 1);
    }
    _exit(0);
}
