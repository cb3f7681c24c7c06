// steam: error=invalid-free flags=-fno-builtin
/* A buffer that is sometimes on the heap is always freed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void __attribute__((noinline)) release(char *buffer)
{
    free(buffer); /* ERROR */
}
static size_t __attribute__((noinline)) process(const char *text)
{
    char small[32], *buffer = small;
    if (strlen(text) >= sizeof small)
        buffer = malloc(strlen(text) + 1);
    strcpy(buffer, text);
    size_t n = strlen(buffer);
    release(buffer);
    return n;
}

int main(void)
{
    printf("%zu\n", process("a text that needs more than thirty-two bytes"));
    printf("%zu\n", process("short"));
    return 0;
}
