// steam: expect=assert
/* In a copy of a process with several threads, a new thread looks at what the others were at. */
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

static void *looks(void *unused)
{
    assert(mine != 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    if (fork() == 0) {
        pthread_create(&thread, 0, looks, 0);
        pthread_join(thread, 0);
        _exit(0);
    }
    pthread_join(thread, 0);
    return 0;
}
