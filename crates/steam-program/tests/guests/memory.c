/* brk, mmap and the like. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "call.h"

enum { PAGE = 4096 };

static int all(const unsigned char *at, int count, int value)
{
    while (count-- > 0)
        if (*at++ != value)
            return 0;
    return 1;
}

static void breaks(void)
{
    char *start = sbrk(0);
    char *block = sbrk(10000);
    printf("break moved %d, zeroed %d\n", block == start, all((void *)block, 10000, 0));
    memset(block, 7, 10000);
    sbrk(-10000);
    printf("back %d\n", sbrk(0) == start);
    CALL(brk((void *)1) < 0 ? -1 : 0);
}

static void anonymous(void)
{
    unsigned char *p = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("zeroed %d\n", all(p, 8 * PAGE, 0));
    memset(p, 0xab, 8 * PAGE);
    CALL(mprotect(p + PAGE, PAGE, PROT_READ));
    CALL(mprotect(p + 1, PAGE, PROT_READ));
    CALL(munmap(p + 2 * PAGE, PAGE));
    CALL(mprotect(p, 4 * PAGE, PROT_READ));
    CALL(mmap(p + 2 * PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == p + 2 * PAGE);
    printf("new page zeroed %d, neighbour kept %d\n", all(p + 2 * PAGE, PAGE, 0), all(p + 3 * PAGE, PAGE, 0xab));
    CALL(madvise(p + 5 * PAGE, PAGE, MADV_DONTNEED));
    printf("advised page zeroed %d\n", all(p + 5 * PAGE, PAGE, 0));
    CALL(madvise(p + 5 * PAGE, PAGE, 999));
    CALL(msync(p, PAGE, MS_SYNC));
    unsigned char resident[2];
    CALL(mincore(p, 2 * PAGE, resident));
    CALL(munmap(p, 8 * PAGE));
    CALL(munmap(p + 1, PAGE));
    CALL(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    CALL(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, 99, 0));
    CALL(mmap(NULL, PAGE, PROT_READ, MAP_ANONYMOUS, -1, 0));
    p = mmap((void *)0x40000000, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    printf("hint taken %d\n", p == (void *)0x40000000);
    CALL(mmap(p, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
    CALL(mlock(p, PAGE) == 0 || errno == ENOMEM);
}

static void moved(void)
{
    char *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    strcpy(p, "moves along");
    char *blocker = mmap(p + PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CALL(mremap(p, PAGE, 9 * PAGE, 0));
    char *bigger = mremap(p, PAGE, 9 * PAGE, MREMAP_MAYMOVE);
    printf("%s %d %d\n", bigger, bigger != p, all((void *)(bigger + PAGE), 8 * PAGE, 0));
    CALL(mremap(bigger, 9 * PAGE, PAGE, 0) == bigger);
    CALL(mremap(blocker, PAGE, 0, 0));
}

static void files(void)
{
    char path[] = "/tmp/steam-memory-XXXXXX";
    int fd = mkstemp(path);
    for (int i = 0; i < 3000; i++)
        if (write(fd, &i, sizeof i) != sizeof i)
            return;
    int *shared = mmap(NULL, 12000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int *private = mmap(NULL, 12000, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    int *second = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, PAGE);
    printf("%d %d %d %d\n", shared[2999], private[7], second[0], shared[3001]);
    private[7] = -7;
    shared[8] = -8;
    int values[2];
    CALL(pread(fd, values, sizeof values, 28));
    printf("%d %d\n", values[0], values[1]);
    values[0] = 1000;
    CALL(pwrite(fd, values, 4, 40));
    printf("%d\n", shared[10]);
    shared[11] = 1111;
    CALL(munmap(shared, 12000));
    CALL(pread(fd, values, 4, 44));
    printf("%d\n", values[0]);
    close(fd);
    CALL(fd = open(path, O_RDONLY));
    CALL(mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, fd, 0));
    unlink(path);
}

static void code(void)
{
    /* mov $N, %eax; ret */
    unsigned char bytes[] = {0xb8, 0, 0, 0, 0, 0xc3};
    unsigned char *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int n = 1; n <= 3; n++) {
        bytes[1] = n;
        memcpy(p, bytes, sizeof bytes);
        printf("generated %d\n", ((int (*)(void))p)());
    }
    int fd = open("/dev/zero", O_RDONLY);
    if (read(fd, p + 1, 4) == 4)
        printf("after read %d\n", ((int (*)(void))p)());
}

int main(void)
{
    breaks();
    anonymous();
    moved();
    files();
    code();
    return 0;
}
