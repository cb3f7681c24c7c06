// steam: error=unmapped-access
/* A mapping is given back and then read again. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 2;
    strcpy(page, "mapped");
    strcpy(page + 4096, "second page");
    puts(page);
    munmap(page + 4096, 4096);
    printf("%c\n", page[0]);
    volatile char *gone = page + 4096;
    printf("%c\n", gone[3]); /* ERROR */
    return 0;
}
