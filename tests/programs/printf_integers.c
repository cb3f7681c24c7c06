// steam: pie
/* Every integer conversion of printf with every flag, many widths and precisions. */
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *const flags[] = {"", "-", "+", " ", "#", "0", "-+", "- ", "+0", " 0", "#0", "-#", "#+", "'"};
static const char *const widths[] = {"", "1", "8", "14"};
static const char *const precisions[] = {"", ".", ".0", ".1", ".6", ".12"};
static const char conversions[] = "diuoxX";

static unsigned checksum(unsigned sum, const char *text)
{
    for (; *text; text++)
        sum = (sum << 5) - sum + (unsigned char)*text;
    return sum;
}

static void cross_product(int value)
{
    char format[64], out[128];
    unsigned sum = 0;
    int cases = 0;
    for (size_t c = 0; c < sizeof conversions - 1; c++)
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
            for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
                for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++) {
                    snprintf(format, sizeof format, "%%%s%s%s%c", flags[f], widths[w], precisions[p], conversions[c]);
                    int length = snprintf(out, sizeof out, format, value);
                    if (length != (int)strlen(out))
                        printf("length of %s is wrong\n", format);
                    sum = checksum(sum, out);
                    cases++;
                    if (cases % 61 == 0)
                        printf("%-12s|%s|\n", format, out);
                }
    printf("%d: %d cases, checksum %08x\n", value, cases, sum);
}

static void lengths(void)
{
    printf("%hhd %hhu %hhx\n", (signed char)-1, (unsigned char)200, (unsigned char)0xab);
    printf("%hd %hu %ho\n", (short)SHRT_MIN, (unsigned short)USHRT_MAX, (unsigned short)0777);
    printf("%ld %lu %lx\n", LONG_MIN, ULONG_MAX, 0xdeadbeefUL);
    printf("%lld %llu %llX %llo\n", LLONG_MIN, ULLONG_MAX, 0x0123456789abcdefULL, 01234567012345670ULL);
    printf("%jd %ju %zd %zu %td\n", INTMAX_MIN, UINTMAX_MAX, (ssize_t)-5, (size_t)4000000000u, (ptrdiff_t)-77);
    printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRIo64 " %" PRIdFAST16 "\n", (int8_t)-128, (uint16_t)65535,
           (uint32_t)0xcafebabe, (uint64_t)1 << 63, (int_fast16_t)-3);
    printf("%+lld|% lld|%020lld|%-20lld|%#llx\n", 5LL, 5LL, -5LL, -5LL, 255LL);
}

int main(void)
{
    static const int values[] = {0, 1, -1, 7, 42, -1000, 123456789, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        cross_product(values[i]);
    lengths();

    int before, middle;
    printf("abc%ndef%n\n", &before, &middle);
    printf("%d %d\n", before, middle);
    printf("%2$s %1$d %3$c %2$.3s %1$08d\n", 77, "words", '!');
    printf("%3$*1$d|%3$-*1$d|%3$.*2$d|\n", 9, 4, 12);
    printf("%*d|%-*d|%*d|\n", 6, 1, 6, 2, -6, 3);
    printf("%.*d|%.*s|%.*s|\n", 4, 5, 2, "truncated", -1, "whole");
    printf("%c%c%5c%-5c|%s|%10s|%-10s|%.2s|%%\n", 'a', 'b', 'c', 'd', "str", "right", "left", "cut");
    printf("%p %p\n", (void *)0, (void *)0x1234);
    char small[8];
    int wanted = snprintf(small, sizeof small, "%d-%s", 12345, "overflowing");
    printf("%s %d %d\n", small, wanted, snprintf(NULL, 0, "%05d", 3));
    return 0;
}
