// steam: error=heap-out-of-bounds
/* Rows and columns are mixed up in a matrix of separately allocated rows. */
#include <stdio.h>
#include <stdlib.h>

static double **make(int rows, int columns)
{
    double **m = calloc((size_t)rows, sizeof *m);
    for (int i = 0; i < rows; i++)
        m[i] = calloc((size_t)columns, sizeof **m); /* ALLOC */
    return m;
}
static void __attribute__((noinline)) identity(double **m, int n, int columns)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns; j++)
            m[i][j] = i == j; /* ERROR */
}

int main(void)
{
    double **m = make(5, 3);
    identity(m, 3, 3);
    printf("%g\n", m[2][2]);
    identity(m, 3, 5);
    printf("%g\n", m[2][2]);
    for (int i = 0; i < 5; i++)
        free(m[i]);
    free(m);
    return 0;
}
