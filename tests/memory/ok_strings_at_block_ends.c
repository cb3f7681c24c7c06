// steam: error=none flags=-fno-builtin
/* String functions on blocks of exactly the right size, at every small length: word-wise libraries read past such ends. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int check(size_t n)
{
    char *a = malloc(n + 1), *b = malloc(n + 1), *c = malloc(n ? n : 1);
    int wrong = 0;
    memset(a, 'a', n);
    a[n] = 0;
    wrong += strlen(a) != n;
    wrong += strcpy(b, a) != b || strcmp(a, b) != 0 || strcasecmp(a, b) != 0;
    wrong += strcoll(a, b) != 0 || strncmp(a, b, n + 10) != 0;
    wrong += stpcpy(b, a) != b + n;
    wrong += strchr(a, 'z') != NULL || strrchr(a, 'z') != NULL || strchr(a, 0) != a + n || strchrnul(a, 'z') != a + n;
    wrong += strpbrk(a, "xyz") != NULL || strspn(a, "a") != n || strcspn(a, "z") != n;
    wrong += strstr(a, "ab") != NULL || memchr(a, 0, n + 1) != a + n || rawmemchr(a, 0) != a + n;
    wrong += memmem(a, n, "b", 1) != NULL || memrchr(a, 'z', n) != NULL;
    /* Blocks without an end mark: only counted functions may touch them. */
    memset(c, 'c', n);
    wrong += strnlen(c, n) != n || memchr(c, 'z', n) != NULL;
    memcpy(b, c, n);
    wrong += memcmp(b, c, n) != 0 || strncmp(b, c, n) != 0 || bcmp(b, c, n) != 0;
    strncpy(b, c, n);
    memmove(b + (n > 0), b, n ? n - 1 : 0);
    char *copy = strndup(c, n);
    wrong += strlen(copy) != n;
    char *twice = malloc(2 * n + 1);
    strcpy(twice, a);
    strncat(twice, c, n);
    wrong += strlen(twice) != 2 * n;
    mempcpy(twice, c, n);
    bzero(c, n);
    free(twice);
    free(copy);
    free(a);
    free(b);
    free(c);
    return wrong;
}

int main(void)
{
    int wrong = 0;
    for (size_t n = 0; n < 70; n++)
        wrong += check(n);
    printf("wrong %d\n", wrong);
    return wrong != 0;
}
