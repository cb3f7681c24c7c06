// steam: error=invalid-free flags=-fno-builtin
/* Skipping blanks moves the only pointer to the block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void __attribute__((noinline)) finish(char *text)
{
    puts(text);
    free(text); /* ERROR */
}
static void __attribute__((noinline)) print_trimmed(const char *line)
{
    char *text = strdup(line);
    while (*text == ' ')
        text++;
    finish(text);
}

int main(void)
{
    print_trimmed("no blanks");
    print_trimmed("  two blanks");
    return 0;
}
