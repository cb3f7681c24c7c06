// steam: error=heap-out-of-bounds
/* Trimming blanks from the end of an empty string walks off its front. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void __attribute__((noinline)) trim(char *text)
{
    char *end = text + strlen(text) - 1;
    while (*end == ' ') /* ERROR */
        *end-- = 0;
}

int main(void)
{
    char *words = strdup("words  "), *blank = strdup("");
    trim(words);
    printf("<%s>\n", words);
    trim(blank);
    printf("<%s>\n", blank);
    free(words);
    free(blank);
    return 0;
}
