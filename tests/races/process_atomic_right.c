// no race
/* Processes share an atomic counter. */
#include <assert.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int protection = PROT_READ | PROT_WRITE;
    atomic_int *ids = mmap(NULL, 4096, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    int id = atomic_fetch_add(ids, 1);
    assert(id == 0 || id == 1);
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    assert(*ids == 2);
    return 0;
}
