// steam: flags=-lm
/* strtol, strtoul, strtoll, strtod, strtof, strtold: bases, end pointers, overflow, rounding. */
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void integer(const char *text, int base)
{
    char *end;
    errno = 0;
    long l = strtol(text, &end, base);
    int el = errno, nl = (int)(end - text);
    errno = 0;
    unsigned long u = strtoul(text, &end, base);
    int eu = errno;
    errno = 0;
    long long q = strtoll(text, &end, base);
    int eq = errno;
    errno = 0;
    unsigned long long w = strtoull(text, &end, base);
    printf("'%s'/%d: %ld(%d,%d) %lu(%d) %lld(%d) %llu(%d) end '%s'\n", text, base, l, nl, el, u, eu, q, eq, w, errno, end);
}

static void floating(const char *text)
{
    char *end;
    errno = 0;
    double d = strtod(text, &end);
    int ed = errno;
    errno = 0;
    float f = strtof(text, NULL);
    int ef = errno;
    errno = 0;
    long double l = strtold(text, NULL);
    printf("'%s': %a(%d) %a(%d) %La(%d) end '%s'\n", text, d, ed, f, ef, l, errno, end);
}

int main(void)
{
    static const char *const whole[] = {"0", "  -12abc", "+7", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295",
                                        "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
                                        "18446744073709551615", "18446744073709551616", "-1", "", "   ", "-", "0x", "0x1G", "08"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        integer(whole[i], 10);
        integer(whole[i], 0);
    }
    integer("zz", 36);
    integer("-1111011", 2);
    integer("0xdeadbeef", 16);
    integer("deadbeefcafebabe", 16);
    integer("777", 8);
    integer("0b101", 2);
    integer("12", 3);
    printf("%d %ld %lld %g\n", atoi("  99 bottles"), atol("-5"), atoll("123456789012"), atof("2.5x"));

    static const char *const real[] = {"0", "-0", "1", "0.1", "1e1", "1e", "1e+", ".5", "5.", ".", "-.e1", "0x1p-3", "0x.8p1", "0x1.fffffffffffff8p0",
                                       "0x1.fffffffffffff7p0", "1e308", "1e309", "-1e309", "1e-307", "2.2250738585072014e-308", "2.2250738585072011e-308",
                                       "4.9e-324", "2.4e-324", "2.5e-324", "1e-400", "1e4932", "1e4933", "3.4028235e38", "3.4028236e38", "1.17549435e-38", "1e-45", "1e-46",
                                       "9007199254740993", "9007199254740992.99999999999999999999999999999999999999", "123456789012345678901234567890",
                                       "0.000000000000000000000000000000000000000000000000000000000000000000001", "inf", "-Infinity", "infinite", "nan", "nan(123)x", "  1.5 tail",
                                       "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880"};
    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        floating(real[i]);

    /* Round trips: what %.17g writes, strtod reads back. */
    uint64_t bits = 0x9e3779b97f4a7c15ull;
    int wrong = 0;
    for (int i = 0; i < 400; i++) {
        bits = bits * 6364136223846793005ull + 1442695040888963407ull;
        double value, again;
        char text[64];
        memcpy(&value, &bits, sizeof value);
        if (isnan(value) || isinf(value))
            continue;
        snprintf(text, sizeof text, "%.17g", value);
        again = strtod(text, NULL);
        if (memcmp(&value, &again, sizeof value) != 0)
            wrong++;
        if (i % 80 == 0)
            printf("%s\n", text);
    }
    printf("round trips that failed: %d\n", wrong);
    return wrong != 0;
}
