// steam: error=none
/* memalign and the like: alignment, full use of the block, malloc_usable_size honoured, reallocarray, zero sizes. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int wrong = 0;
    for (size_t alignment = 8; alignment <= 8192; alignment *= 2) {
        void *a = memalign(alignment, 100), *b = NULL, *c = aligned_alloc(alignment, alignment * 2);
        wrong += posix_memalign(&b, alignment, alignment + 1) != 0;
        wrong += ((uintptr_t)a | (uintptr_t)b | (uintptr_t)c) % alignment != 0;
        memset(a, 1, 100);
        memset(b, 2, alignment + 1);
        memset(c, 3, alignment * 2);
        free(a);
        free(b);
        free(c);
    }
    void *page = valloc(10);
    wrong += (uintptr_t)page % 4096 != 0;
    free(page);
    for (size_t n = 1; n < 100; n += 9) {
        char *p = malloc(n);
        size_t usable = malloc_usable_size(p);
        wrong += usable < n;
        memset(p, 4, usable);
        free(p);
    }
    int *zeroed = calloc(33, sizeof *zeroed);
    for (int i = 0; i < 33; i++)
        wrong += zeroed[i] != 0;
    zeroed = reallocarray(zeroed, 40, sizeof *zeroed);
    zeroed[39] = 1;
    free(zeroed);
    void *nothing = malloc(0), *from_null = realloc(NULL, 5);
    memset(from_null, 5, 5);
    free(nothing);
    free(from_null);
    free(NULL);
    wrong += malloc((size_t)-1) != NULL || calloc(65536, 65537) != NULL || reallocarray(NULL, 65536, 65537) != NULL;
    printf("wrong %d\n", wrong);
    return wrong != 0;
}
