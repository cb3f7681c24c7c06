// steam: expect=assert
/* A process that is killed sees what its parent wrote after the kill, and answers. */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    _Atomic int *words =
        mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    if (child == 0) {
        for (;;)
            if (words[0]) {
                words[1] = 1;
                _exit(3);
            }
    }
    kill(child, SIGKILL);
    words[0] = 1;
    waitpid(child, 0, 0);
    assert(!words[1]); /* ERROR */
    return 0;
}
