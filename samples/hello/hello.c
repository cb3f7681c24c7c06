/* The first program of every machine: arguments, formatted output, an exit status. */
#include <stdio.h>

int main(int argc, char **argv)
{
    printf("hello from a 32-bit program: %zu-byte pointers\n", sizeof(void *));
    for (int i = 1; i < argc; i++)
        printf("argument %d: %s\n", i, argv[i]);
    return 0;
}
