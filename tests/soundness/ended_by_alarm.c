// steam: expect=assert
/* A process may be ended by its timer between two writes that others see. */
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    volatile int *both = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) {
        alarm(1);
        both[0] = 1;
        both[1] = 1;
        alarm(0);
        _exit(0);
    }
    wait(0);
    assert(both[0] == both[1]); /* ERROR */
    return 0;
}
