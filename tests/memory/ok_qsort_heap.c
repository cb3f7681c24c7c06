// steam: error=none
/* Sorting and searching heap arrays whose last element is the last byte of the block; odd element sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct odd {
    char key[3];
    char rest[4];
};
static int by_key(const void *a, const void *b) { return memcmp(a, b, 3); }
static int by_value(const void *a, const void *b) { return *(const short *)a - *(const short *)b; }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void)
{
    for (size_t n = 1; n < 200; n = n * 2 + 1) {
        struct odd *v = malloc(n * sizeof *v);
        short *s = malloc(n * sizeof *s);
        char **words = malloc(n * sizeof *words);
        for (size_t i = 0; i < n; i++) {
            snprintf(v[i].key, 3, "%02u", (unsigned)(i * 37 % 100));
            memcpy(v[i].rest, "rest", 4);
            s[i] = (short)(i * 7919 % 1000);
            words[i] = malloc(3);
            snprintf(words[i], 3, "%u", (unsigned)(i * 13 % 100));
        }
        qsort(v, n, sizeof *v, by_key);
        qsort(s, n, sizeof *s, by_value);
        qsort(words, n, sizeof *words, by_text);
        short key = s[n - 1];
        printf("%s %d %s %d\n", v[n - 1].key, s[n - 1], words[0], bsearch(&key, s, n, sizeof *s, by_value) != NULL);
        for (size_t i = 0; i < n; i++)
            free(words[i]);
        free(words);
        free(s);
        free(v);
    }
    return 0;
}
