// steam: error=null-access flags=-fno-builtin
/* malloc of a hopeless size fails, and nobody looks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *__attribute__((noinline)) copy_of(const char *text, size_t room)
{
    char *copy = malloc(room);
    memcpy(copy, text, strlen(text) + 1); /* ERROR */
    return copy;
}

int main(void)
{
    char *fine = copy_of("fits", 16);
    puts(fine);
    free(fine);
    puts(copy_of("does not fit", (size_t)-64));
    return 0;
}
