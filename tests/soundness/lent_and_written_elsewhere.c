// steam: expect=unknown
/* What another thread writes a child of `vfork` may read at once. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int told;
static int ends[2];

static void *writes(void *unused)
{
    told = 1;
    write(ends[1], "x", 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int status;
    char byte;
    pipe(ends);
    pthread_create(&thread, 0, writes, 0);
    pid_t child = vfork();
    if (child == 0) {
        read(ends[0], &byte, 1);
        _exit(told);
    }
    waitpid(child, &status, 0);
    pthread_join(thread, 0);
    assert(WEXITSTATUS(status) == 1);
    return 0;
}
