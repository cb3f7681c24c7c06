// steam: error=double-free
/* The error path frees what the caller frees too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int __attribute__((noinline)) parse(char *line)
{
    char *equals = strchr(line, '=');
    if (!equals) {
        fprintf(stderr, "no value in '%s'\n", line);
        free(line); /* FREE */
        return -1;
    }
    return atoi(equals + 1);
}
static int __attribute__((noinline)) handle(const char *text)
{
    char *line = strdup(text); /* ALLOC */
    int value = parse(line);
    free(line); /* ERROR */
    return value;
}

int main(void)
{
    printf("%d\n", handle("width=80"));
    printf("%d\n", handle("width 80"));
    return 0;
}
