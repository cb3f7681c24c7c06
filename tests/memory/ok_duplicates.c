// steam: error=none
/* strdup, asprintf, getline, open_memstream, realpath-free: blocks that the library allocates and the program frees. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *a = strdup("duplicate"), *b = strndup("duplicate", 3), *c = NULL;
    int n = asprintf(&c, "%s and %s", a, b);
    printf("%d %s\n", n, c);
    a[8] = 'E', b[2] = 'P', c[n - 1] = '!';
    printf("%s %s %s\n", a, b, c);
    free(a), free(b), free(c);
    FILE *f = tmpfile();
    for (int i = 0; i < 50; i++)
        fprintf(f, "%*s\n", i * 5, "end");
    rewind(f);
    char *line = NULL;
    size_t room = 0, total = 0;
    ssize_t got;
    while ((got = getline(&line, &room, f)) > 0) {
        line[got - 1] = 0;
        total += strlen(line);
    }
    free(line);
    fclose(f);
    char *memory;
    size_t size;
    f = open_memstream(&memory, &size);
    for (int i = 0; i < 100; i++)
        fprintf(f, "%d,", i);
    fclose(f);
    printf("%zu %zu %c\n", total, size, memory[size - 1]);
    free(memory);
    return 0;
}
