// steam: expect=none accesses=unknown states=3000
/* Two threads run a program each, by `posix_spawn`, which lends them the memory and a stack. */
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void *spawns(void *number)
{
    char *arguments[] = {"program", number, 0};
    pid_t child;
    int status;
    assert(posix_spawn(&child, "/proc/self/exe", 0, 0, arguments, environ) == 0);
    waitpid(child, &status, 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == *(char *)number - '0');
    return 0;
}

int main(int count, char **arguments)
{
    pthread_t one, two;
    if (count > 1)
        return arguments[1][0] - '0';
    pthread_create(&one, 0, spawns, "3");
    pthread_create(&two, 0, spawns, "4");
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
