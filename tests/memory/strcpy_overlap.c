// steam: error=overlapping-copy flags=-fno-builtin
/* Leading blanks are removed by copying a string onto itself. */
#include <stdio.h>
#include <string.h>

static void __attribute__((noinline)) trim(char *text)
{
    char *start = text;
    while (*start == ' ')
        start++;
    if (start != text)
        strcpy(text, start); /* ERROR */
}

int main(void)
{
    char right[] = "none", wrong[] = "  two";
    trim(right);
    trim(wrong);
    printf("%s %s\n", right, wrong);
    return 0;
}
