// steam: expect=unknown
/* What a child of `vfork` writes another thread may read at once. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int seen;

static void *reads(void *unused)
{
    assert(seen != 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, reads, 0);
    pid_t child = vfork();
    if (child == 0) {
        seen = 1;
        seen = 2;
        _exit(0);
    }
    waitpid(child, 0, 0);
    pthread_join(thread, 0);
    return 0;
}
