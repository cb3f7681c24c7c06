// steam: error=heap-out-of-bounds flags=-fno-builtin
/* strncat's limit counts what is added, not the size of the buffer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void __attribute__((noinline)) add(char *line, size_t room, const char *word)
{
    strncat(line, word, room); /* ERROR */
}

int main(void)
{
    size_t room = 12;
    char *line = malloc(room); /* ALLOC */
    line[0] = 0;
    add(line, room, "hello ");
    puts(line);
    add(line, room, "worlds");
    puts(line);
    free(line);
    return 0;
}
