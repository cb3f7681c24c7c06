// steam: expect=none accesses=unknown
/* What a child of `vfork` has written before it runs a program is there for its parent; what that program writes is
   not. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int mine, done;

static void *lends(void *unused)
{
    int status;
    pid_t child = vfork();
    if (child == 0) {
        done = 1;
        execl("/proc/self/exe", "program", "again", (char *)0);
        _exit(1);
    }
    assert(done == 1);
    waitpid(child, &status, 0);
    assert(WEXITSTATUS(status) == 5);
    return unused;
}

int main(int count)
{
    pthread_t thread;
    if (count > 1) {
        assert(mine == 0 && done == 0);
        mine = 5;
        return mine;
    }
    pthread_create(&thread, 0, lends, 0);
    mine = 1;
    mine = 2;
    pthread_join(thread, 0);
    assert(mine == 2);
    return 0;
}
