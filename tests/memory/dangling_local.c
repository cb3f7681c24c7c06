// steam: error=below-stack-pointer
/* A table of a finished function is read through a saved pointer. */
#include <stdio.h>

static int *saved;

static int __attribute__((noinline)) prepare(int seed)
{
    int table[64];
    for (int i = 0; i < 64; i++)
        table[i] = i * seed;
    saved = table;
    return saved[63];
}
static int __attribute__((noinline)) first(void)
{
    int *p = saved;
    return p[0] + p[1]; /* ERROR */
}

int main(void)
{
    printf("%d\n", prepare(3));
    printf("%d\n", first());
    return 0;
}
