/* Variadic functions: every promoted type, va_copy, forwarding, a small printf of our own. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct point {
    int x, y;
};
struct big {
    double values[4];
    char name[10];
};

static long long sum(const char *types, ...)
{
    va_list list;
    long long total = 0;
    va_start(list, types);
    for (; *types; types++)
        switch (*types) {
        case 'c': total += va_arg(list, int); break;
        case 'i': total += va_arg(list, int); break;
        case 'u': total += va_arg(list, unsigned); break;
        case 'l': total += va_arg(list, long); break;
        case 'q': total += va_arg(list, long long); break;
        case 'd': total += (long long)va_arg(list, double); break;
        case 'D': total += (long long)va_arg(list, long double); break;
        case 's': total += (long long)strlen(va_arg(list, const char *)); break;
        case 'p': {
            struct point p = va_arg(list, struct point);
            total += p.x * 100 + p.y;
            break;
        }
        case 'b': {
            struct big b = va_arg(list, struct big);
            for (int i = 0; i < 4; i++)
                total += (long long)b.values[i];
            total += (long long)strlen(b.name);
            break;
        }
        }
    va_end(list);
    return total;
}

static int twice(char *out, size_t size, const char *format, ...)
{
    va_list first, second;
    va_start(first, format);
    va_copy(second, first);
    int length = vsnprintf(NULL, 0, format, first);
    int written = vsnprintf(out, size, format, second);
    va_end(second);
    va_end(first);
    return length == written ? length : -1;
}

static void number(unsigned long long value, unsigned base, int negative)
{
    char digits[70];
    int n = 0;
    do
        digits[n++] = "0123456789abcdef"[value % base];
    while (value /= base);
    if (negative)
        putchar('-');
    while (n)
        putchar(digits[--n]);
}

static void small_vprintf(const char *format, va_list list)
{
    for (; *format; format++) {
        if (*format != '%') {
            putchar(*format);
            continue;
        }
        int longs = 0;
        while (*++format == 'l')
            longs++;
        long long value;
        switch (*format) {
        case 'd':
            value = longs > 1 ? va_arg(list, long long) : longs ? va_arg(list, long) : va_arg(list, int);
            number(value < 0 ? -(unsigned long long)value : (unsigned long long)value, 10, value < 0);
            break;
        case 'x': number(longs > 1 ? va_arg(list, unsigned long long) : va_arg(list, unsigned), 16, 0); break;
        case 'b': number(va_arg(list, unsigned), 2, 0); break;
        case 's': fputs(va_arg(list, const char *), stdout); break;
        case 'c': putchar(va_arg(list, int)); break;
        case '%': putchar('%'); break;
        }
    }
}

static void small_printf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    small_vprintf(format, list);
    va_end(list);
}

int main(void)
{
    struct point p = {3, 4};
    struct big b = {{1, 2, 3, 4.5}, "big"};
    printf("%lld\n", sum("ciulqdDspb", 'A', -5, 7u, 1L << 20, 1LL << 40, 2.75, 1e6L, "seven..", p, b));
    printf("%lld %lld\n", sum(""), sum("qqqqqqqq", 1LL, 2LL, 3LL, 4LL, 5LL, 6LL, 7LL, -8LL));
    char text[64];
    int n = twice(text, sizeof text, "%d %s %.2f %c", 42, "mixed", 3.14159, 'z');
    printf("%d '%s'\n", n, text);
    small_printf("%d %ld %lld %x %llx %b %s %c 100%%\n", -42, -1234567L, -9876543210123LL, 0xbeefu, 0x123456789abcdefULL, 10u, "text", '!');
    return 0;
}
