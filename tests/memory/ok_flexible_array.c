// steam: error=none
/* Flexible array members allocated to the byte: the structure's own padding may lie outside of the block. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
    unsigned length;
    unsigned char kind;
    char text[];
};

static struct name *make(const char *text)
{
    size_t n = strlen(text) + 1;
    struct name *s = malloc(offsetof(struct name, text) + n);
    s->length = (unsigned)n;
    s->kind = (unsigned char)(n % 7);
    memcpy(s->text, text, n);
    return s;
}

int main(void)
{
    const char *words[] = {"", "a", "ab", "abc", "abcd", "a rather longer name than the others"};
    unsigned total = 0;
    for (int i = 0; i < 6; i++) {
        struct name *s = make(words[i]);
        total = total * 10 + s->length + s->kind + (unsigned char)s->text[s->length / 2];
        s = realloc(s, offsetof(struct name, text) + s->length + 1);
        strcat(s->text, "+");
        total += (unsigned)strlen(s->text);
        free(s);
    }
    printf("%u\n", total);
    return 0;
}
