// steam: expect=unknown
/* A child of `vfork` writes to a local variable, of which another thread knows. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *shown;
static int ends[2];

static void *lends(void *unused)
{
    volatile int local = 0;
    shown = &local;
    write(ends[1], "x", 1);
    pid_t child = vfork();
    if (child == 0) {
        local = 1;
        local = 2;
        _exit(0);
    }
    waitpid(child, 0, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char byte;
    pipe(ends);
    pthread_create(&thread, 0, lends, 0);
    read(ends[0], &byte, 1);
    assert(*shown != 1);
    pthread_join(thread, 0);
    return 0;
}
