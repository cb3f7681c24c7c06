// steam: error=none flags=-fno-builtin
/* Blocks that overlap and may, that touch, and that are the same. */
#include <stdio.h>
#include <string.h>
#include <wchar.h>

struct pair {
    int first[20];
};

static void __attribute__((noinline)) assign(struct pair *to, const struct pair *from)
{
    *to = *from;
}

int main(void)
{
    static char text[64] = "abcdefghij";
    static wchar_t wide[16] = L"wide";
    static struct pair pair = {{1, 2, 3}};
    memmove(text + 2, text, 10);
    memmove(text, text + 1, 12);
    memcpy(text + 20, text, 20);
    memcpy(text, text + 20, 20);
    memcpy(text, text, 20);
    memcpy(text + 1, text, 0);
    assign(&pair, &pair);
    strcpy(text + 13, "tail");
    strcpy(text + 8, text + 13);
    strncpy(text + 40, text + 35, 5);
    strncpy(text + 35, text + 40, 5);
    text[4] = 0;
    strcat(text, text + 13);
    strncat(text, text + 20, 2);
    wcscpy(wide + 5, wide);
    printf("%s %ls %d\n", text, wide + 5, pair.first[2]);
    return 0;
}
