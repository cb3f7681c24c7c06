// steam: expect=unknown
/* A child of `vfork` frees what its parent has, while another thread of that one goes on. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char *volatile block;

static void *waits(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    block = malloc(8);
    pthread_create(&thread, 0, waits, 0);
    pid_t child = vfork();
    if (child == 0) {
        free(block);
        _exit(0);
    }
    waitpid(child, 0, 0);
    pthread_join(thread, 0);
    return 0;
}
