// steam: error=heap-out-of-bounds flags=-fno-builtin
/* Room for the letters and none for the end mark. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *__attribute__((noinline)) duplicate(const char *text)
{
    char *copy = malloc(strlen(text)); /* ALLOC */
    strcpy(copy, text);                /* ERROR */
    return copy;
}

int main(void)
{
    char *copy = duplicate("twelve chars");
    puts(copy);
    free(copy);
    return 0;
}
