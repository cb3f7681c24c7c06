// steam: error=none flags=-fno-builtin
/* The wide functions, and conversions, on blocks that end exactly where the text ends. */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
    int wrong = 0;
    for (size_t n = 0; n < 20; n++) {
        wchar_t *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b);
        wmemset(a, L'w', n);
        a[n] = 0;
        wrong += wcslen(a) != n || wcscmp(wcscpy(b, a), a) != 0;
        wrong += wcschr(a, L'z') != NULL || wmemchr(a, 0, n + 1) != a + n || wcsnlen(a, n) != n;
        char *narrow = malloc(n + 1);
        wrong += wcstombs(narrow, a, n + 1) != n || mbstowcs(b, narrow, n + 1) != n;
        wrong += wmemcmp(a, b, n + 1) != 0;
        free(narrow);
        free(a);
        free(b);
    }
    printf("wrong %d\n", wrong);
    return wrong != 0;
}
