// steam: error=none
/* Literals and constant tables are read, copied and compared; copies are changed; a sealed page is opened again. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char *const names[] = {"zero", "one", "two"};
static const int squares[] = {0, 1, 4, 9};

int main(void)
{
    char array[] = "array", *copy = strdup(names[2]);
    array[0] = 'A', copy[0] = 'T';
    int local[4];
    memcpy(local, squares, sizeof local);
    local[3]++;
    printf("%s %s %d %d\n", array, copy, local[3], strcmp(names[1], "one"));
    free(copy);
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page[4095] = 'e';
    mprotect(page, 4096, PROT_READ);
    char seen = page[4095];
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
    page[4095]++;
    printf("%c %c\n", seen, page[4095]);
    munmap(page, 4096);
    return 0;
}
