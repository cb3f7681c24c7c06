// steam: error=unmapped-access
/* A pointer read from a damaged record. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct record {
    uint32_t magic;
    int *data;
};

static int __attribute__((noinline)) first(const struct record *r) { return r->magic == 0x1234 ? r->data[0] /* ERROR */ : -1; }

int main(void)
{
    int value = 7;
    struct record good = {0x1234, &value}, bad;
    unsigned char bytes[] = {0x34, 0x12, 0, 0, 0x00, 0x00, 0x60, 0x01};
    memcpy(&bad, bytes, sizeof bad);
    printf("%d\n", first(&good));
    printf("%d\n", first(&bad));
    return 0;
}
