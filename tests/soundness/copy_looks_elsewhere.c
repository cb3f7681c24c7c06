// steam: expect=none states=20
/* A process is copied beside a thread that is at what the copy does not look at. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int mine, other;

static void *writes(void *unused)
{
    for (int i = 0; i < 20; i++)
        mine++;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    int status;
    pthread_create(&threads[0], 0, writes, 0);
    pid_t child = fork();
    if (child == 0) {
        assert(other == 0);
        other = 1;
        _exit(3);
    }
    other = 2;
    waitpid(child, &status, 0);
    pthread_join(threads[0], 0);
    assert(WEXITSTATUS(status) == 3 && mine == 20);
    return 0;
}
