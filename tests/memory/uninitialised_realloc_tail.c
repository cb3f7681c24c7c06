// steam: error=uninitialised
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noipa)) static void show(const char *bytes, int at) {
    if (bytes[at] == 0) /* ERROR */
        puts("zero");
}

int main(void) {
    char *bytes = malloc(8);
    memset(bytes, 1, 8);
    bytes = realloc(bytes, 16); /* ALLOC */
    show(bytes, 7);
    show(bytes, 8);
    return 0;
}
