// steam: error=overlapping-copy flags=-fno-builtin
/* A gap is closed by memcpy in place of memmove. */
#include <stdio.h>
#include <string.h>

static char line[32] = "one two three";

static void __attribute__((noinline)) remove_word(char *from, size_t word, size_t rest)
{
    memcpy(from, from + word, rest); /* ERROR */
}

int main(void)
{
    char other[32] = "apart";
    memcpy(other + 8, other, 6);
    remove_word(other, 8, 6);
    remove_word(line, 4, strlen(line + 4) + 1);
    printf("%s\n", line);
    return 0;
}
