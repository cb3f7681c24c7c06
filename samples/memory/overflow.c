/* Writes one element past the end of a heap block. Natively this often goes unnoticed. */
#include <stdio.h>
#include <stdlib.h>

static void fill(int *values, int count)
{
    for (int i = 0; i <= count; i++)
        values[i] = i * i; /* ERROR */
}

int main(void)
{
    int *values = malloc(5 * sizeof *values);
    fill(values, 5);
    printf("%d\n", values[4]);
    free(values);
    return 0;
}

// steam: expect=heap-out-of-bounds
