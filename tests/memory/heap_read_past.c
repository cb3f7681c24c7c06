// steam: error=heap-out-of-bounds
/* A checksum over sizeof pointer-sized guesswork reads past the block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned __attribute__((noinline)) checksum(const unsigned char *data, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = sum * 31 + data[i]; /* ERROR */
    return sum;
}

int main(void)
{
    size_t size = 21;
    unsigned char *packet = malloc(size); /* ALLOC */
    memset(packet, 7, size);
    printf("%u\n", checksum(packet, size));
    printf("%u\n", checksum(packet, (size + 3) / 4 * 4));
    free(packet);
    return 0;
}
