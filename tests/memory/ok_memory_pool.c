// steam: error=none
/* A program's own allocator inside one block: interior pointers, headers, alignment, free lists. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 64
union slot {
    union slot *next;
    char bytes[24];
};
static union slot *pool, *first_free;

static void *take(void)
{
    union slot *s = first_free;
    if (s)
        first_free = s->next;
    return s;
}
static void give(void *p)
{
    union slot *s = p;
    s->next = first_free;
    first_free = s;
}

int main(void)
{
    pool = malloc(SLOTS * sizeof *pool);
    for (int i = 0; i < SLOTS; i++)
        give(&pool[i]);
    char *held[SLOTS];
    int used = 0, total = 0;
    for (int i = 0; i < 1000; i++) {
        if (i % 3 && used < SLOTS) {
            held[used] = take();
            memset(held[used++], i, 24);
        } else if (used)
            total += held[--used][23], give(held[used]);
    }
    char *arena = malloc(1000), *at = arena;
    for (size_t n = 1; at + n + 16 <= arena + 1000; n += 3) {
        at = (char *)(((uintptr_t)at + 15) / 16 * 16);
        if (at + n > arena + 1000)
            break;
        memset(at, 5, n);
        at += n;
    }
    free(arena);
    free(pool);
    printf("%d %d\n", total, used);
    return 0;
}
