// no race
/* After a fork each process has its own globals, heap and private pages. */
#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int global;

int main(void)
{
    int protection = PROT_READ | PROT_WRITE;
    int *page = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int *block = calloc(1, sizeof *block);
    pid_t child = fork();
    global++;
    ++*page;
    ++*block;
    assert(global == 1 && *page == 1 && *block == 1);
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    free(block);
    return 0;
}
