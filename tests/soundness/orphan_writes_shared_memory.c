// steam: expect=assert
/* A process for which nobody waits had ended before the first one touched what both share. That the first
 * one was the only one left did not mean that it could not have been faster. */
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    volatile int *word =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int child = fork();
    if (child == 0) {
        if (fork() == 0)
            (*word)++;
        _exit(0);
    }
    waitpid(child, NULL, 0);
    (*word)++;
    assert(*word == 2);
    return 0;
}
