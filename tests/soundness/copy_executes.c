// steam: expect=none states=40
/* A copy goes on with another program, whose memory has nothing to do with what it was a copy of. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int mine;

static void *writes(void *unused)
{
    for (int i = 0; i < 20; i++)
        mine++;
    return unused;
}

int main(int count)
{
    pthread_t thread;
    int status;
    if (count > 1) {
        assert(mine == 0);
        mine = 5;
        return mine;
    }
    pthread_create(&thread, 0, writes, 0);
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "program", "again", (char *)NULL);
        _exit(1);
    }
    waitpid(child, &status, 0);
    pthread_join(thread, 0);
    assert(WEXITSTATUS(status) == 5);
    return 0;
}
