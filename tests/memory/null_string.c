// steam: error=null-access flags=-fno-builtin
/* getenv's answer is not checked before it is measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t __attribute__((noinline)) room_for(const char *name)
{
    return strlen(getenv(name)) + 1; /* ERROR */
}

int main(void)
{
    setenv("PRESENT", "value", 1);
    printf("%zu\n", room_for("PRESENT"));
    printf("%zu\n", room_for("ABSENT_VARIABLE"));
    return 0;
}
