// steam: flags=-lm
/* long double: the functions with an l, 64-bit mantissas, conversions to and from integers and decimals. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long double arguments[] = {0.0L, 0.5L, -0.5L, 1.0L, -1.25L, 2.0L, 3.14159265358979323846L, 1e-20L, 100.0L, -1e4L, 1e1000L, LDBL_MIN};
#define COUNT (sizeof arguments / sizeof *arguments)
#define F(name) {#name, name}
static const struct {
    const char *name;
    long double (*function)(long double);
} functions[] = {F(sinl), F(cosl), F(tanl), F(asinl), F(acosl), F(atanl), F(sinhl), F(coshl), F(tanhl), F(expl), F(exp2l), F(expm1l), F(logl), F(log2l),
                 F(log10l), F(log1pl), F(sqrtl), F(cbrtl), F(floorl), F(ceill), F(truncl), F(roundl), F(rintl), F(logbl), F(erfl), F(tgammal)};

static void print(long double value)
{
    if (isnan(value))
        printf(" nan");
    else
        printf(" %La", value);
}

static void bytes(long double value)
{
    unsigned char raw[10];
    memcpy(raw, &value, 10);
    for (int i = 9; i >= 0; i--)
        printf("%02x", raw[i]);
    putchar(' ');
}

int main(void)
{
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        printf("%s:", functions[f].name);
        for (size_t i = 0; i < COUNT; i++)
            print(functions[f].function(arguments[i]));
        putchar('\n');
    }
    for (size_t i = 0; i < COUNT; i++) {
        long double x = arguments[i], y = arguments[(i * 5 + 1) % COUNT];
        print(powl(x, y)), print(fmodl(x, 0.3L)), print(remainderl(x, 0.3L)), print(atan2l(x, y)), print(hypotl(x, y)), print(scalbnl(x, 100));
        putchar('\n');
    }
    bytes(1.0L), bytes(-2.0L), bytes(0.1L), bytes(LDBL_MAX), bytes(LDBL_MIN / 4), bytes(HUGE_VALL);
    putchar('\n');

    long double third = 1.0L / 3, e = 1, term = 1;
    for (int i = 1; i < 30; i++)
        e += term /= i;
    printf("%.25Lf %.25Lf %La\n", third, e, expl(1.0L) - e);
    uint64_t big = 0xfffffffffffffffbull;
    long double exact = big;
    printf("%.0Lf %d %llu\n", exact, (uint64_t)exact == big, (unsigned long long)(exact / 3));
    printf("%lld %lld %d %d\n", (long long)-1.5e18L, llrintl(12345678901234567.5L), (int)-7.9L, (unsigned)4e9L == 4000000000u);
    printf("%La %La\n", (long double)0.1f, (long double)0.1);
    printf("%a %a\n", (double)third, (float)third);
    printf("%La %La\n", nextafterl(1.0L, 2.0L) - 1, strtold("1.00000000000000000005", NULL));
    long double half = 1, one = 1;
    int digits = 0;
    while (one + half != one) {
        half /= 2;
        digits++;
    }
    printf("%d digits, %d exponent\n", digits, ilogbl(1e4000L));
    return 0;
}
