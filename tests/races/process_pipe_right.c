// no race
/* A byte through a pipe says that the shared page is ready. */
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2], protection = PROT_READ | PROT_WRITE;
    char byte = 'x';
    int *page = mmap(NULL, 4096, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pipe(ends) != 0)
        return 1;
    if (fork() == 0) {
        page[1] = 5;
        _exit(write(ends[1], &byte, 1) != 1);
    }
    if (read(ends[0], &byte, 1) == 1)
        assert(page[1] == 5);
    wait(NULL);
    return 0;
}
