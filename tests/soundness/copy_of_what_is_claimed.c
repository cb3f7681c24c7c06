// steam: expect=assert
/* What a thread has claimed for itself shows in a copy of its process. */
#include <assert.h>
#include <pthread.h>
#include <steam.h>
#include <unistd.h>

static volatile int mine;

static void *writes(void *unused)
{
    steam_unshared((void *)&mine, sizeof mine);
    mine = 1;
    mine = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    if (fork() == 0) {
        assert(mine != 1);
        _exit(0);
    }
    pthread_join(thread, 0);
    return 0;
}
