// steam: expect=hang
/* Processes that wait in loops for each other, in memory that they share. */
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    _Atomic int *turn = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) {
        *turn = 3;
        while (*turn != 2)
            sched_yield();
        *turn = 1;
        _exit(0);
    }
    *turn = 4;
    while (*turn != 1)
        sched_yield();
    *turn = 2;
    wait(0);
    return 0;
}
