// steam: error=uninitialised
/* The block is the one that was freed: natively its bytes are still there. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noipa)) static void show(const unsigned char *block) {
    if (block[8] == 3) /* ERROR */
        puts("three");
}

int main(void) {
    unsigned char *block = malloc(64);
    block[8] = 3;
    free(block);
    block = malloc(64); /* ALLOC */
    show(block);
    free(block);
    return 0;
}
