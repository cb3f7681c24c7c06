/* Files far longer than what is written into them. */
#define _FILE_OFFSET_BITS 64
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    char name[] = "/tmp/sparse.XXXXXX", bytes[8] = "";
    struct stat about;
    int file = mkstemp(name);
    if (file < 0)
        return 1;
    unlink(name);
    printf("%d\n", ftruncate(file, (off_t)300 << 20));
    printf("%d\n", ftruncate(file, (off_t)5 << 30));
    printf("%zd\n", pwrite(file, "high", 4, (off_t)3 << 30));
    printf("%zd %s\n", pread(file, bytes, 4, (off_t)3 << 30), bytes);
    ssize_t size = pread(file, bytes, 8, ((off_t)1 << 30) - 4);
    printf("%zd %d\n", size, bytes[0] + bytes[7]);
    fstat(file, &about);
    printf("%lld\n", (long long)about.st_size);
    printf("%d\n", ftruncate(file, ((off_t)3 << 30) + 2));
    printf("%zd\n", pread(file, bytes, 8, (off_t)3 << 30));
    printf("%lld\n", (long long)lseek(file, 0, SEEK_END));
    char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, (off_t)3 << 30);
    if (page != MAP_FAILED)
        printf("%s\n", page);
    return 0;
}
