// steam: pie
/* string.h from end to end, at every small alignment and length, against naive loops. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static unsigned char memory[512], other[512];

static size_t naive_strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}
static int sign(int x) { return (x > 0) - (x < 0); }
static int naive_memcmp(const unsigned char *a, const unsigned char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int check_alignments(void)
{
    int wrong = 0;
    for (int start = 0; start < 9; start++)
        for (int length = 0; length < 70; length++) {
            memset(memory, 'x', sizeof memory);
            memset(other, 'y', sizeof other);
            char *s = (char *)memory + start;
            for (int i = 0; i < length; i++)
                s[i] = (char)('a' + (i * 7 + start) % 26);
            s[length] = 0;
            wrong += strlen(s) != naive_strlen(s);
            wrong += strnlen(s, 20) != (size_t)(length < 20 ? length : 20);
            char *copy = (char *)other + (start * 5) % 8;
            wrong += strcpy(copy, s) != copy || strcmp(copy, s) != 0;
            wrong += copy[length + 1] != 'y';
            wrong += stpcpy(copy, s) != copy + length;
            wrong += memcpy(copy, s, (size_t)length) != copy || memcmp(copy, s, (size_t)length) != 0;
            if (length > 3) {
                copy[length - 2] ^= 0x90;
                wrong += sign(memcmp(copy, s, (size_t)length)) != naive_memcmp((unsigned char *)copy, (unsigned char *)s, (size_t)length);
                wrong += sign(strcmp(copy, s)) != naive_memcmp((unsigned char *)copy, (unsigned char *)s, (size_t)length);
                wrong += strncmp(copy, s, (size_t)length - 2) != 0;
                wrong += memchr(s, s[length - 1], (size_t)length) > (void *)(s + length - 1);
                wrong += strchr(s, s[length / 2]) == NULL || strrchr(s, s[0]) < s;
            }
            wrong += memchr(s, 0, (size_t)length + 1) != s + length || rawmemchr(s, 0) != s + length;
            wrong += strchr(s, '!') != NULL || strchrnul(s, '!') != s + length;
            memmove(s + 3, s, (size_t)length);
            memmove(s, s + 3, (size_t)length);
            wrong += memset(copy, 0x5a, (size_t)length) != copy;
            for (int i = 0; i < length; i++)
                wrong += copy[i] != 0x5a;
        }
    return wrong;
}

static void show(const char *label, const char *result) { printf("%s: %s\n", label, result ? result : "(null)"); }

int main(void)
{
    printf("wrong: %d\n", check_alignments());
    char text[64] = "abc";
    show("strcat", strcat(text, "def"));
    show("strncat", strncat(text, "ghijkl", 3));
    memset(text, 'z', sizeof text);
    strncpy(text, "short", 10);
    printf("strncpy pads: %d %d %c\n", text[5], text[9], text[10]);
    show("strstr", strstr("a needle in a haystack with needles", "needle in"));
    show("strstr none", strstr("aaaaaaaaaab", "aab!"));
    show("strstr empty", strstr("xyz", ""));
    show("strcasestr", strcasestr("Some MIXED Case", "mixed"));
    show("memmem", memmem("binary\0data here", 16, "data", 4));
    show("strpbrk", strpbrk("key=value;rest", ";="));
    show("strrchr", strrchr("/usr/share/doc", '/'));
    show("memrchr", memrchr("a.b.c", '.', 5));
    printf("strspn %zu strcspn %zu\n", strspn("aabbcxyz", "abc"), strcspn("hello, world", " ,"));
    printf("strcasecmp %d strncasecmp %d\n", sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("abcX", "ABCY", 3)));
    printf("strverscmp %d %d\n", sign(strverscmp("file9", "file10")), sign(strverscmp("1.01", "1.1")));
    printf("strcoll %d\n", sign(strcoll("B", "a")));

    char line[] = "one, two;;three  four";
    for (char *token = strtok(line, ",; "); token; token = strtok(NULL, ",; "))
        printf("<%s>", token);
    char fields[] = "a::b:", *rest = fields, *field;
    while ((field = strsep(&rest, ":")))
        printf("[%s]", field);
    char again[] = "x=1&y=2", *save1, *save2;
    for (char *pair = strtok_r(again, "&", &save1); pair; pair = strtok_r(NULL, "&", &save1)) {
        char *key = strtok_r(pair, "=", &save2);
        printf("{%s:%s}", key, strtok_r(NULL, "=", &save2));
    }
    putchar('\n');
    char *twice = strdup("duplicate"), *part = strndup("duplicate", 4);
    printf("%s %s %s\n", twice, part, strchr(twice, 0) == twice + 9 ? "ends" : "");
    free(twice);
    free(part);
    char out[20] = {0};
    show("memccpy", memccpy(out, "copy until|here", '|', 20) ? out : NULL);
    show("mempcpy", (char *)mempcpy(out, "12345678", 8) - 3);
    char swapped[6];
    swab("badcfe", swapped, 6);
    printf("%.6s %s %s\n", swapped, basename("/a/b/c.txt"), strerror(2));
    printf("%d %d %d\n", ffs(0x50), ffsll(1LL << 40), memcmp("\x80", "\x7f", 1) > 0);
    char secret[8] = "hidden";
    explicit_bzero(secret, sizeof secret);
    printf("%d %zu\n", secret[0], strxfrm(out, "xfrm", sizeof out));
    return 0;
}
