// steam: error=heap-out-of-bounds flags=-fno-builtin
/* A number grew one digit longer than its field. */
#include <stdio.h>
#include <stdlib.h>

static char *__attribute__((noinline)) label(int id)
{
    char *text = malloc(8);       /* ALLOC */
    sprintf(text, "id-%04d", id); /* ERROR */
    return text;
}

int main(void)
{
    char *fine = label(1234);
    puts(fine);
    free(fine);
    char *longer = label(12345);
    puts(longer);
    free(longer);
    return 0;
}
