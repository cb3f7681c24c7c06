// steam: expect=assert
/* What the library writes for a thread alone shows in a copy of its process. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char one[64], other[64];

static void *writes(void *argument)
{
    memcpy(one, argument, sizeof one);
    memcpy(other, argument, sizeof other);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char text[64] = "text";
    pthread_create(&thread, 0, writes, text);
    pid_t child = fork();
    if (child == 0) {
        assert(memcmp(one, other, sizeof one) == 0);
        _exit(0);
    }
    pthread_join(thread, 0);
    waitpid(child, NULL, 0);
    return 0;
}
