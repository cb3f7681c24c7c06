// steam: expect=assert
/* A process that is killed leaves in shared memory what it had written by then, although nobody else
 * looks there before it has ended. */
#include <assert.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    volatile int *words =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int child = fork();
    if (child == 0) {
        words[0] = 1;
        words[1] = 1;
        _exit(0);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert(words[0] == words[1]);
    return 0;
}
