// steam: error=none flags=-fno-builtin
/* printf and scanf with strings of exact size, precision-limited strings without an end mark, and exact output buffers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    for (size_t n = 1; n < 20; n += 3) {
        char *text = malloc(n + 1), *bare = malloc(n), *out = malloc(n + 3);
        memset(text, 't', n);
        text[n] = 0;
        memset(bare, 'b', n);
        printf("%s %.*s|", text, (int)n, bare);
        int written = sprintf(out, "[%.*s]", (int)n, bare);
        printf("%s %d %zu\n", out, written, strlen(out));
        snprintf(out, n + 3, "%s %s %s", text, text, text);
        fputs(out, stdout);
        puts(text);
        fwrite(bare, 1, n, stdout);
        putchar('\n');
        free(text), free(bare), free(out);
    }
    char *number = malloc(6), *word = malloc(5);
    memcpy(number, "12345", 6);
    printf("%d", sscanf("abcd efgh", "%4s", word));
    printf(" %s %d %ld\n", word, atoi(number), strtol(number, NULL, 16));
    free(number), free(word);
    return 0;
}
