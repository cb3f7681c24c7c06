// steam: expect=assert
/* A copy of a process with several threads is copied again, and only that one looks. */
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
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    if (fork() == 0) {
        if (fork() == 0)
            assert(mine != 1);
        _exit(0);
    }
    pthread_join(thread, 0);
    return 0;
}
