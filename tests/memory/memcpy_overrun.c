// steam: error=heap-out-of-bounds flags=-fno-builtin
/* The length field of a message is believed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
    uint16_t length;
    char body[64];
};

static char *__attribute__((noinline)) extract(const struct message *m)
{
    char *body = malloc(16);            /* ALLOC */
    memcpy(body, m->body, m->length);   /* ERROR */
    return body;
}

int main(void)
{
    struct message good = {16, "0123456789abcdef"}, bad = {17, "0123456789abcdefX"};
    char *body = extract(&good);
    printf("%.16s\n", body);
    free(body);
    body = extract(&bad);
    printf("%.16s\n", body);
    free(body);
    return 0;
}
