// steam: expect=assert
/* What one thread alone touches in a process shows in a copy of it. */
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
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
    /* Not the library's function: what it does beside is no part of this. */
    if (syscall(SYS_fork) == 0) {
        assert(mine != 1);
        _exit(0);
    }
    pthread_join(thread, 0);
}
