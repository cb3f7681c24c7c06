// steam: expect=none accesses=unknown states=40
/* A child of `vfork` writes to the memory of its parent, while another thread of that one writes elsewhere. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int mine, result;

static void *writes(void *unused)
{
    for (int i = 0; i < 20; i++)
        mine++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    int status;
    pthread_create(&thread, 0, writes, 0);
    pid_t child = vfork();
    if (child == 0) {
        result = 7;
        _exit(3);
    }
    assert(result == 7);
    waitpid(child, &status, 0);
    pthread_join(thread, 0);
    assert(WEXITSTATUS(status) == 3 && mine == 20);
    return 0;
}
