// steam: error=below-stack-pointer flags=-fno-builtin
/* A string built with alloca is handed out of its function. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static char *result;

static size_t __attribute__((noinline)) join(const char *a, const char *b)
{
    char *text = __builtin_alloca(strlen(a) + strlen(b) + 400);
    strcpy(text, a);
    strcat(text, b);
    result = text;
    return strlen(result);
}
static int __attribute__((noinline)) initial(void)
{
    const char *p = result;
    return p[0]; /* ERROR */
}

int main(void)
{
    printf("%zu\n", join("left", "right"));
    printf("%c\n", initial());
    return 0;
}
