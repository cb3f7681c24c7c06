// no race
/* Who detaches shared memory gives up its own mapping: the other process keeps its own, and the bytes. */
#include <assert.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

static int set;

static void change(int number, int by)
{
    struct sembuf operation = { number, by, 0 };
    semop(set, &operation, 1);
}

int main(void)
{
    int *mapped = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    set = semget(IPC_PRIVATE, 1, 0600);
    if (fork() == 0) {
        *mapped = 1;
        change(0, 1);
        munmap(mapped, 4096);
        _exit(0);
    }
    change(0, -1);
    assert(*mapped == 1);
    wait(0);
    return 0;
}
