// steam: error=none
/* alloca and variable-length arrays passed down, in loops, beside calls; a callee writes far below its caller's frame. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static unsigned __attribute__((noinline)) fill(char *p, size_t n)
{
    char shadow[2000];
    memset(shadow, 1, sizeof shadow);
    memset(p, 2, n);
    return (unsigned)(shadow[1999] + p[n - 1]);
}
static unsigned __attribute__((noinline)) grow(int rounds)
{
    unsigned total = 0;
    char *all[20];
    for (int i = 0; i < rounds; i++) {
        size_t n = (size_t)(i * 37 + 1);
        all[i] = alloca(n);
        total += fill(all[i], n);
        total += (unsigned)all[0][0] + (unsigned)all[i][n - 1];
    }
    return total;
}
static unsigned __attribute__((noinline)) variable(int n)
{
    int a[n], b[n * 2];
    for (int i = 0; i < n; i++)
        a[i] = i, b[2 * i] = b[2 * i + 1] = a[i];
    return n > 1 ? variable(n / 2) + (unsigned)b[2 * n - 1] : (unsigned)a[0];
}

int main(void)
{
    printf("%u %u\n", grow(20), variable(1000));
    return 0;
}
