// steam: error=stack-overflow flags=-fno-builtin
/* A local array that is larger than the whole stack. */
#include <stdio.h>
#include <string.h>

static unsigned __attribute__((noinline)) sum(size_t n)
{
    unsigned char image[n];
    memset(image, 1, n);
    unsigned total = 0;
    for (size_t i = 0; i < n; i += 4096)
        total += image[i];
    return total;
}

int main(void)
{
    printf("%u\n", sum(100000));
    unsigned total = sum(64u << 20); /* ERROR */
    printf("%u\n", total);
    return 0;
}
