/* mmap, munmap, mprotect, mremap, madvise, files mapped privately and shared, code generated at run time, brk. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096u
static char path[] = "/tmp/maps_XXXXXX";

static int all(const unsigned char *p, size_t n, int value)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != value)
            return 0;
    return 1;
}

static void anonymous(void)
{
    unsigned char *p = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("zeroed %d, aligned %d\n", all(p, 8 * PAGE, 0), ((uintptr_t)p & (PAGE - 1)) == 0);
    memset(p, 0xab, 8 * PAGE);
    printf("unmap the middle %d\n", munmap(p + 2 * PAGE, 2 * PAGE));
    printf("rest intact %d\n", all(p, 2 * PAGE, 0xab) && all(p + 4 * PAGE, 4 * PAGE, 0xab));
    void *again = mmap(p + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    printf("fixed %d, zeroed %d\n", again == p + 2 * PAGE, all(again, PAGE, 0));
    printf("dontneed %d", madvise(p + 4 * PAGE, PAGE, MADV_DONTNEED));
    printf(" zeroed %d, next kept %d\n", all(p + 4 * PAGE, PAGE, 0), all(p + 5 * PAGE, PAGE, 0xab));
    munmap(p, 8 * PAGE);

    p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    strcpy((char *)p, "moves along");
    unsigned char *bigger = mremap(p, PAGE, 64 * PAGE, MREMAP_MAYMOVE);
    printf("mremap '%s', new part zeroed %d\n", (char *)bigger, all(bigger + PAGE, 63 * PAGE, 0));
    bigger = mremap(bigger, 64 * PAGE, PAGE, 0);
    printf("shrunk '%s'\n", (char *)bigger);
    munmap(bigger, PAGE);
    errno = 0;
    void *nothing = mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("nothing: %d EINVAL %d\n", nothing == MAP_FAILED, errno == EINVAL);
}

static void files(void)
{
    int fd = mkstemp(path);
    for (int i = 0; i < 2000; i++)
        if (write(fd, &i, sizeof i) != sizeof i)
            return;
    int *shared = mmap(NULL, 8000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int *private = mmap(NULL, 8000, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    int *second = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, PAGE);
    printf("%d %d %d, tail of the last page zero %d\n", shared[1999], private[7], second[0], shared[2001] == 0);
    private[7] = -7;
    int seven;
    if (pread(fd, &seven, sizeof seven, 28) != sizeof seven)
        return;
    printf("private write stays private: %d %d\n", seven, shared[7]);
    munmap(shared, 8000);
    munmap(private, 8000);
    munmap(second, PAGE);
    close(fd);
    unlink(path);
    fd = open("fixtures/prose.txt", O_RDONLY);
    const char *text = mmap(NULL, 64, PROT_READ, MAP_PRIVATE, fd, 0);
    printf("%.16s\n", text);
    munmap((void *)text, 64);
    close(fd);
}

static void generated_code(void)
{
    /* mov 4(%esp), %eax; imul 8(%esp), %eax; add $N, %eax; ret */
    unsigned char code[] = {0x8b, 0x44, 0x24, 0x04, 0x0f, 0xaf, 0x44, 0x24, 0x08, 0x05, 0, 0, 0, 0, 0xc3};
    unsigned char *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int n = 1; n <= 3; n++) {
        mprotect(p, PAGE, PROT_READ | PROT_WRITE);
        memcpy(p, code, sizeof code);
        p[10] = (unsigned char)(n * 100);
        printf("protect %d", mprotect(p, PAGE, PROT_READ | PROT_EXEC));
        int (*function)(int, int);
        memcpy(&function, &p, sizeof function);
        printf(" calls %d\n", function(6, 7));
    }
    munmap(p, PAGE);
}

int main(void)
{
    anonymous();
    files();
    generated_code();
    char *end = sbrk(0);
    char *block = sbrk(3 * (intptr_t)PAGE);
    printf("brk grew %d", block == end);
    /* musl's sbrk grows nothing. */
    if (block != (void *)-1)
        memset(block, 1, 3 * PAGE);
    printf(" shrank %d\n", brk(end) == 0 && sbrk(0) == end);
    void *aligned = NULL;
    printf("%d %d\n", posix_memalign(&aligned, PAGE, 100), ((uintptr_t)aligned & (PAGE - 1)) == 0);
    free(aligned);
    return 0;
}
