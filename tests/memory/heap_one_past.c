// steam: error=heap-out-of-bounds
/* The classic <= in a loop over a heap array. */
#include <stdio.h>
#include <stdlib.h>

static int *__attribute__((noinline)) squares(int n)
{
    int *v = malloc((size_t)n * sizeof *v); /* ALLOC */
    for (int i = 0; i <= n; i++)
        v[i] = i * i; /* ERROR */
    return v;
}

int main(void)
{
    int *v = squares(9);
    printf("%d\n", v[8]);
    free(v);
    return 0;
}
