// steam: error=heap-out-of-bounds
/* A flexible array member got room for one element too few. */
#include <stdio.h>
#include <stdlib.h>

struct series {
    int count;
    double values[];
};

static struct series *__attribute__((noinline)) make(int count)
{
    struct series *s = malloc(sizeof *s + sizeof(double) * (size_t)(count - 1)); /* ALLOC */
    s->count = count;
    for (int i = 0; i < count; i++)
        s->values[i] = i * 0.5; /* ERROR */
    return s;
}

int main(void)
{
    struct series *s = make(6);
    printf("%g\n", s->values[4]);
    free(s);
    return 0;
}
