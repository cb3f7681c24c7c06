// steam: flags=-lm
/* Floating conversions of printf: e f g a in both cases, double and long double, special values. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const flags[] = {"", "-", "+", " ", "#", "0+"};
static const char *const widths[] = {"", "18"};
static const char *const precisions[] = {"", ".0", ".3", ".17"};
static const char conversions[] = "feEgGaAF";

static unsigned long long hash = 1469598103934665603ull;

static void remember(const char *text)
{
    for (; *text; text++) {
        hash ^= (unsigned char)*text;
        hash *= 1099511628211ull;
    }
}

static void doubles(double value)
{
    char format[32], out[512];
    for (const char *c = conversions; *c; c++)
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
            for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
                for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++) {
                    if (*c < 'a' && f > 0)
                        continue; /* capitals differ in letters only */
                    snprintf(format, sizeof format, "%%%s%s%s%c", flags[f], widths[w], precisions[p], *c);
                    snprintf(out, sizeof out, format, value);
                    remember(out);
                }
    printf("%a %e %f %g | %.3A %.0e %#.0f %#g | %016llx\n", value, value, value, value, value, value, value, value, hash);
}

static void long_doubles(long double value)
{
    char format[32], out[8192];
    int extreme = isfinite(value) && value != 0 && (fabsl(value) > 1e40L || fabsl(value) < 1e-40L);
    for (const char *c = conversions; *c; c++)
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
            for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++) {
                if (extreme && (f > 0 || (strchr("fF", *c) && p > 0)))
                    continue; /* thousands of digits: a few times is enough */
                snprintf(format, sizeof format, "%%%s%sL%c", flags[f], precisions[p], *c);
                snprintf(out, sizeof out, format, value);
                remember(out);
            }
    printf("%La %.20Le %Lg %.3La | %016llx\n", value, value, value, value, hash);
}

int main(void)
{
    static const double some[] = {0.0, -0.0, 1.0, -1.5, 0.1, 2.0 / 3, 1e10, 123456789.987654321, 1e-5, 9.9999995e5, 1e22, 1e23,
                                  0.5, 1.5, 2.5, 999999.5, DBL_MAX, DBL_MIN, DBL_EPSILON, 4.9406564584124654e-324};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        doubles(some[i]);
    doubles(INFINITY);
    doubles(-INFINITY);
    doubles(NAN);

    static const long double wide[] = {0.0L, 1.0L / 3, -2.5L, 1e4000L, 1e-4900L, 3.14159265358979323846264338327950288L};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        long_doubles(wide[i]);
    long_doubles(LDBL_MAX);
    long_doubles(LDBL_MIN);
    long_doubles(-HUGE_VALL);

    for (int digits = 0; digits <= 40; digits += 4)
        printf("%.*f %.*e\n", digits, 0.1, digits, 1.0 / 1024 / 1024);
    printf("%.60f\n%.1074f\n", 1.0 / 3, DBL_MIN);
    printf("%5$Lf %1$d %4$.2f %2$c %3$s\n", 1, 'x', "three", 4.0, 5.0L);
    printf("%g %g %g %g %g %g\n", 100000.0, 1000000.0, 1e-4, 1e-5, 123456.0, 1234567.0);
    printf("%f %f\n", (double)FLT_MAX, (double)(float)0.1);
    return 0;
}
