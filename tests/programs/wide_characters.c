/* Wide characters and multibyte conversion: wcs functions, wprintf family, C and C.UTF-8 locales. */
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static void strings(void)
{
    wchar_t buffer[64], out[64];
    wcscpy(buffer, L"wide");
    wcscat(buffer, L" string");
    wcsncat(buffer, L" and more", 4);
    printf("%zu %ls\n", wcslen(buffer), buffer);
    printf("%d %d\n", wcscmp(L"abc", L"abd") < 0, wcsncmp(L"abcx", L"abcy", 3));
    printf("%ls %ls %ls\n", wcschr(buffer, L's'), wcsrchr(buffer, L'n'), wcsstr(buffer, L"ring"));
    printf("%zu %zu\n", wcsspn(L"aabbc", L"ab"), wcscspn(L"hello", L"l"));
    wmemset(out, L'-', 10);
    out[10] = 0;
    wmemcpy(out + 2, L"xyz", 3);
    wmemmove(out + 3, out + 2, 4);
    printf("%ls %d\n", out, wmemcmp(out, L"--", 2));
    wchar_t line[] = L"a,b;c", *state;
    for (wchar_t *token = wcstok(line, L",;", &state); token; token = wcstok(NULL, L",;", &state))
        printf("[%ls]", token);
    wchar_t *end;
    printf(" %ld %g %lu", wcstol(L"-123xyz", &end, 10), wcstod(L"2.5e3", NULL), wcstoul(L"0xff", NULL, 0));
    printf(" rest %ls\n", end);
    swprintf(out, 64, L"%d|%5.2f|%-8ls|%s|%lc", 42, 3.14159, L"left", "narrow", L'q');
    printf("%ls\n", out);
    int number;
    wchar_t word[16];
    printf("%d", swscanf(L"77 bottles", L"%d %15ls", &number, word));
    printf(" %d %ls\n", number, word);
}

static void classes(void)
{
    unsigned count[6] = {0};
    for (wint_t c = 0; c < 0x500; c++) {
        count[0] += iswalpha(c) != 0;
        count[1] += iswupper(c) != 0;
        count[2] += iswspace(c) != 0;
        count[3] += towupper(c) != c;
        count[4] += iswctype(c, wctype("punct")) != 0;
        count[5] += towctrans(c, wctrans("tolower")) != c;
    }
    printf("classes: %u %u %u %u %u %u\n", count[0], count[1], count[2], count[3], count[4], count[5]);
}

static void conversion(const char *bytes)
{
    wchar_t wide[32];
    size_t n = mbstowcs(wide, bytes, 32);
    if (n == (size_t)-1) {
        printf("invalid, errno is EILSEQ %d\n", errno == EILSEQ);
        return;
    }
    printf("%zu:", n);
    for (size_t i = 0; i < n; i++)
        printf(" %x", (unsigned)wide[i]);
    char back[64];
    size_t length = wcstombs(back, wide, sizeof back);
    printf(" back %zu same %d\n", length, strcmp(back, bytes) == 0);
}

static void step_by_step(const char *bytes)
{
    mbstate_t state;
    memset(&state, 0, sizeof state);
    wchar_t c;
    for (const char *p = bytes; *p; p++) {
        size_t r = mbrtowc(&c, p, 1, &state);
        if (r == (size_t)-2)
            printf("+");
        else if (r == (size_t)-1) {
            printf("!");
            memset(&state, 0, sizeof state);
        } else
            printf("%x ", (unsigned)c);
    }
    printf("initial %d\n", mbsinit(&state) != 0);
}

int main(void)
{
    strings();
    classes();
    conversion("plain");
    printf("MB_CUR_MAX %zu\n", MB_CUR_MAX);
    printf("locale: %s\n", setlocale(LC_ALL, "C.UTF-8") ? "C.UTF-8" : "missing");
    printf("MB_CUR_MAX %zu\n", MB_CUR_MAX);
    classes();
    conversion("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9d\x84\x9e");
    conversion("bad \xc3(");
    step_by_step("\xc3\xa9\xe2\x82\xac\xff" "a\xf0\x9f\x98\x80");
    char out[MB_LEN_MAX];
    int length = wctomb(out, 0x20ac);
    printf("%d %02x %02x %02x\n", length, (unsigned char)out[0], (unsigned char)out[1], (unsigned char)out[2]);
    printf("%d %d %d\n", mblen("\xc3\xa9x", 3), btowc('a') == L'a', wctob(L'z'));
    printf("%ls|%5.2ls|%lc\n", L"\u00e9t\u00e9", L"\u00fcber", (wint_t)0x3bb);
    fwide(stdout, 0);
    return 0;
}
