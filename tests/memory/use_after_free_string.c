// steam: error=use-after-free flags=-fno-builtin
/* A key is freed while the table still points to it; strcmp finds out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *keys[4];
static int used;

static int __attribute__((noinline)) find(const char *key)
{
    for (int i = 0; i < used; i++)
        if (strcmp(keys[i], key) == 0) /* ERROR */
            return i;
    return -1;
}

int main(void)
{
    char *line = malloc(32); /* ALLOC */
    strcpy(line, "alpha");
    keys[used++] = line;
    printf("%d\n", find("alpha"));
    free(line); /* FREE */
    printf("%d\n", find("beta"));
    return 0;
}
