// steam: error=read-only-write
/* A page is sealed by mprotect and then written again. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 2;
    strcpy(page, "sealed");
    mprotect(page, 4096, PROT_READ);
    puts(page);
    volatile char *sealed = page;
    sealed[0] = 'S'; /* ERROR */
    puts(page);
    return 0;
}
