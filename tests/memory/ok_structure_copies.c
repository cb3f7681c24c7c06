// steam: error=none
/* Structures copied by assignment, memcpy, return value and argument, from and to heap blocks of exactly their size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small { char c[3]; };
struct medium { short s[7]; };
struct large { char bytes[1027]; };
struct mixed { char c; double d; char e; };

static struct large __attribute__((noinline)) changed(struct large l, int at)
{
    l.bytes[at] = 'X';
    return l;
}

#define EXERCISE(type) \
    { \
        struct type *a = malloc(sizeof *a), *b = malloc(sizeof *b), local; \
        memset(a, 7, sizeof *a); \
        *b = *a; \
        local = *b; \
        *a = local; \
        struct type *many = malloc(3 * sizeof *many); \
        many[2] = many[0] = *a; \
        memcpy(&many[1], b, sizeof *b); \
        memmove(&many[0], &many[1], 2 * sizeof *many); \
        printf("%d\n", memcmp(a, b, sizeof *a) == 0); \
        free(many), free(a), free(b); \
    }

int main(void)
{
    EXERCISE(small)
    EXERCISE(medium)
    EXERCISE(large)
    EXERCISE(mixed)
    struct large *l = calloc(1, sizeof *l), *m = malloc(sizeof *m);
    *m = changed(*l, 1026);
    printf("%c %d\n", m->bytes[1026], m->bytes[1025]);
    free(l), free(m);
    return 0;
}
