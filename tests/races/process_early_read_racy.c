// race: shared memory 13 16
/* The parent reads the child's result before it waits. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int protection = PROT_READ | PROT_WRITE;
    int *result = mmap(NULL, 4096, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    if (child == 0) {
        *result = 9;
        _exit(0);
    }
    volatile int early = *result;
    waitpid(child, NULL, 0);
    return early != 0 && early != 9;
}
