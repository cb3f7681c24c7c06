// steam: gcc-only
/* GNU nested functions: trampolines on an executable stack, closures passed to qsort, non-local goto, recursion inside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int apply(int (*f)(int), int x) { return f(x); }
static void each(const int *values, int n, void (*visit)(int))
{
    for (int i = 0; i < n; i++)
        visit(values[i]);
}

static int compose(int factor, int offset)
{
    int calls = 0;
    int scale(int x)
    {
        calls++;
        return x * factor;
    }
    int shift(int x)
    {
        calls++;
        return scale(x) + offset;
    }
    int result = apply(shift, 10) + apply(scale, 7);
    return result * 10 + calls;
}

static void sort_by_distance(int *values, int n, int centre)
{
    int comparisons = 0;
    int nearer(const void *a, const void *b)
    {
        int x = abs(*(const int *)a - centre), y = abs(*(const int *)b - centre);
        comparisons++;
        return x != y ? x - y : *(const int *)a - *(const int *)b;
    }
    qsort(values, (size_t)n, sizeof *values, nearer);
    for (int i = 0; i < n; i++)
        printf("%d ", values[i]);
    printf("around %d in %d\n", centre, comparisons);
}

static int find_first(const int *values, int n, int (*test)(int))
{
    __label__ found;
    int where = -1, at = 0;
    void look(int value)
    {
        if (test(value)) {
            where = at;
            goto found; /* leaves `each` as well */
        }
        at++;
    }
    each(values, n, look);
    return -1;
found:
    return where;
}

/* Knuth's man-or-boy test: closures that refer to their creators' frames. */
static int man_or_boy(int k, int (*x1)(void), int (*x2)(void), int (*x3)(void), int (*x4)(void), int (*x5)(void))
{
    int b(void)
    {
        k--;
        return man_or_boy(k, b, x1, x2, x3, x4);
    }
    return k <= 0 ? x4() + x5() : b();
}
static int one(void) { return 1; }
static int minus_one(void) { return -1; }
static int zero(void) { return 0; }

static int deep(int n)
{
    int local = n * 3;
    int inner(int m)
    {
        int innermost(int p) { return p + local + m; }
        return m == 0 ? innermost(1) : inner(m - 1) + innermost(m);
    }
    return apply(inner, n);
}

int main(void)
{
    printf("%d %d\n", compose(3, 4), compose(-2, 100));
    int values[] = {17, 4, 99, 23, 8, 42, 15, 16, 1, 60};
    sort_by_distance(values, 10, 20);
    sort_by_distance(values, 10, 50);
    int limit = 40;
    int above(int x) { return x > limit; }
    printf("%d ", find_first(values, 10, above));
    limit = 98;
    printf("%d ", find_first(values, 10, above));
    limit = 1000;
    printf("%d\n", find_first(values, 10, above));
    for (int k = 0; k <= 10; k++)
        printf("%d ", man_or_boy(k, one, minus_one, minus_one, one, zero));
    putchar('\n');
    printf("%d %d\n", deep(4), deep(9));
    return 0;
}
