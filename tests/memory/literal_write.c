// steam: error=read-only-write
/* Upper-casing in place works on arrays and not on literals. */
#include <ctype.h>
#include <stdio.h>

static void __attribute__((noinline)) shout(char *text)
{
    for (; *text; text++)
        *text = (char)toupper((unsigned char)*text); /* ERROR */
}

int main(void)
{
    char array[] = "array";
    shout(array);
    puts(array);
    char *literal = "literal";
    shout(literal);
    puts(literal);
    return 0;
}
