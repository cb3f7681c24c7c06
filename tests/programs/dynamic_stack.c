// steam: gcc-only
/* Large stack arrays, alloca, variable-length arrays in one and two dimensions, structures with VLA, deep frames. */
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned sum(const unsigned char *p, size_t n)
{
    unsigned s = 0;
    while (n--)
        s = s * 33 + *p++;
    return s;
}
static unsigned large(int seed)
{
    unsigned char block[300000];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (unsigned char)(i * (size_t)seed >> 3);
    return sum(block, sizeof block);
}
static unsigned two_large(void)
{
    int table[256][256];
    for (int i = 0; i < 256; i++)
        for (int j = 0; j < 256; j++)
            table[i][j] = i * j - (i ^ j);
    long total = 0;
    for (int i = 0; i < 256; i++)
        total += table[i][255 - i];
    return (unsigned)total + large(3);
}
static char *repeat(char *out, const char *text, int times)
{
    size_t n = strlen(text);
    char *scratch = alloca(n * (size_t)times + 1);
    for (int i = 0; i < times; i++)
        memcpy(scratch + (size_t)i * n, text, n);
    scratch[n * (size_t)times] = 0;
    return strcpy(out, scratch);
}
static int loops(int n)
{
    int total = 0;
    for (int i = 1; i <= n; i++) {
        int *block = alloca(sizeof(int) * (size_t)i);
        for (int k = 0; k < i; k++)
            block[k] = k;
        total += block[i - 1] + ((uintptr_t)block % 16 == 0);
    }
    return total;
}
static double trace(int n, double m[n][n])
{
    double t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}
static double matrix_power(int n)
{
    double a[n][n], b[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i == j || i + 1 == j;
    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                b[i][j] = 0;
                for (int k = 0; k < n; k++)
                    b[i][j] += a[i][k] * a[k][j];
            }
        memcpy(a, b, sizeof a);
    }
    return trace(n, a) + a[0][1] * 100 + (double)(sizeof a / sizeof a[0][0]);
}
static int scopes(int n)
{
    int total = 0;
    for (int i = 1; i < n; i++) {
        char text[i * 3];
        memset(text, 'a' + i % 26, sizeof text);
        text[sizeof text - 1] = 0;
        total += (int)strlen(text);
        if (i % 7 == 0)
            continue;
        int numbers[i];
        numbers[i - 1] = i;
        total += numbers[i - 1];
        if (i == 90)
            goto out;
    }
out:
    return total;
}
static int local_structure(int n)
{
    struct row {
        int id;
        char name[n];
        short tail;
    } rows[3];
    for (int i = 0; i < 3; i++) {
        rows[i].id = i;
        memset(rows[i].name, 'x', (size_t)n);
        rows[i].tail = (short)(i * 11);
    }
    return rows[0].id + rows[1].tail + rows[2].tail + (int)sizeof(struct row);
}
static int depth(int n, const int *outer)
{
    int frame[n + 1];
    frame[n] = *outer + n;
    return n == 0 ? frame[0] : depth(n - 1, &frame[n]);
}

int main(void)
{
    printf("%08x %08x\n", large(7), two_large());
    char out[256];
    printf("%s\n", repeat(out, "ab-", 12));
    printf("%d\n", loops(200));
    printf("%g %g\n", matrix_power(4), matrix_power(13));
    printf("%d\n", scopes(100));
    printf("%d %d\n", local_structure(5), local_structure(22));
    int start = 1;
    printf("%d\n", depth(300, &start));
    int n = 5;
    int (*rows)[n] = malloc(sizeof(int[3][n]));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++)
            rows[i][j] = i * n + j;
    printf("%d %zu %zu\n", rows[2][4], sizeof *rows, sizeof(int[n++]));
    printf("%d\n", n);
    free(rows);
    return 0;
}
