// steam: flags=-lm
/* NaN, infinities, signed zeros and subnormals: comparisons, classification, propagation, bit patterns. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}
static double from_bits(uint64_t u)
{
    double d;
    memcpy(&d, &u, sizeof d);
    return d;
}

static const char *class_name(double d)
{
    switch (fpclassify(d)) {
    case FP_NAN: return "nan";
    case FP_INFINITE: return "infinite";
    case FP_ZERO: return "zero";
    case FP_SUBNORMAL: return "subnormal";
    default: return "normal";
    }
}

static unsigned comparisons(double a, double b)
{
    return (unsigned)((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a >= b) << 4 | (a > b) << 5 | (isunordered(a, b) != 0) << 6 | (islessgreater(a, b) != 0) << 7);
}

int main(void)
{
    volatile double values[12];
    values[0] = 0.0, values[1] = -0.0, values[2] = 1, values[3] = -1, values[4] = INFINITY, values[5] = -INFINITY, values[6] = NAN;
    values[7] = DBL_MIN / 2, values[8] = -5e-324, values[9] = DBL_MAX, values[10] = DBL_MIN, values[11] = 1 + DBL_EPSILON;
    for (int i = 0; i < 12; i++) {
        printf("%-10s %d %d %d |", class_name(values[i]), signbit(values[i]) != 0, isfinite(values[i]) != 0, isinf(values[i]) != 0);
        for (int j = 0; j < 12; j++)
            printf(" %02x", comparisons(values[i], values[j]));
        putchar('\n');
    }
    volatile double infinity = INFINITY, zero = 0;
    printf("%d %d %d %d\n", isnan(infinity - infinity) != 0, isnan(zero * infinity) != 0, isnan(infinity / infinity) != 0, isnan(fmod(infinity, 2)) != 0);
    printf("%g %g %g %g\n", 1 / zero, -1 / zero, 1 / -infinity, -zero + -zero);
    printf("%016llx %016llx\n", (unsigned long long)bits(-zero), (unsigned long long)bits(zero - zero));
    printf("%g %g %g\n", fmax(NAN, 3), fmin(3, NAN), fmax(-0.0, -1));
    printf("%g %g %g %g\n", pow(NAN, 0), pow(1, NAN), pow(0, -1), pow(-8, 1.0 / 3) != pow(-8, 1.0 / 3) ? 1.0 : 0.0);
    printf("%g %g %g\n", atan2(0.0, -0.0), atan2(-0.0, -0.0), atan2(-0.0, 0.0));
    printf("%g %g %g\n", hypot(INFINITY, NAN), cbrt(-27), copysign(3, -0.0));

    volatile double half = 1;
    int steps = 0;
    while (half > 0) {
        half = half / 2;
        steps++;
    }
    printf("halved %d times\n", steps);
    volatile double x = from_bits(1);
    for (int i = 0; i < 60; i += 6) {
        printf("%a ", x);
        x = x * 64;
    }
    putchar('\n');
    x = from_bits(0x000fffffffffffffull);
    printf("%a %a %a\n", x, nextafter(x, 1), x + from_bits(1));
    printf("%016llx\n", (unsigned long long)bits(nextafter(0, -1)));
    double payload = from_bits(0x7ff8000000001234ull);
    printf("%016llx %d\n", (unsigned long long)bits(payload), payload != payload);
    float f = (float)1e-45;
    volatile float halved = f / 2;
    printf("%a %a %a %a\n", f, halved, (float)1e39, (float)-DBL_MIN);
    printf("%d %d %d\n", sizeof(float) == 4, FLT_EVAL_METHOD >= 0, (int)(FLT_RADIX));
    return 0;
}
