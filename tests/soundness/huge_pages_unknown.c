// steam: expect=unknown
/* Whether there are huge pages, the machine decides on which the program runs. */
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int file = memfd_create("file", MFD_HUGETLB);
    assert(file < 0 || ftruncate(file, 4096) == 0);
    return 0;
}
