// steam: flags=-lm
/* The float functions of math.h: every result is checked against double and printed exactly. */
#include <float.h>
#include <math.h>
#include <stdio.h>

static const float arguments[] = {0.0f, -0.0f, 0.25f, -0.75f, 1.0f, -1.0f, 1.75f, -2.5f, 3.14159f, 42.0f, 1e-5f, 85.5f, -1000.125f, 1e20f, FLT_MIN, 1e-42f};
#define COUNT (sizeof arguments / sizeof *arguments)
#define UNARY(name) {#name, name##f, name}
static const struct {
    const char *name;
    float (*single)(float);
    double (*twice)(double);
} functions[] = {UNARY(sin), UNARY(cos), UNARY(tan), UNARY(asin), UNARY(acos), UNARY(atan), UNARY(sinh), UNARY(cosh), UNARY(tanh), UNARY(exp),
                 UNARY(exp2), UNARY(expm1), UNARY(log), UNARY(log2), UNARY(log10), UNARY(log1p), UNARY(sqrt), UNARY(cbrt), UNARY(erf), UNARY(floor),
                 UNARY(ceil), UNARY(trunc), UNARY(round), UNARY(rint), UNARY(nearbyint), UNARY(fabs), UNARY(asinh), UNARY(tgamma)};

static void print(float result)
{
    volatile float value = result; /* drops the excess precision of an inlined x87 result */
    if (isnan(value))
        printf(" nan");
    else
        printf(" %a", value);
}

int main(void)
{
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        int far = 0;
        printf("%s:", functions[f].name);
        for (size_t i = 0; i < COUNT; i++) {
            float got = functions[f].single(arguments[i]);
            double exact = functions[f].twice(arguments[i]);
            print(got);
            if (!isnan(exact) && isfinite(got) && fabs(got - exact) > 1e-5 * fabs(exact) + 1e-40)
                far++;
        }
        printf(" far %d\n", far);
    }
    for (size_t i = 0; i < COUNT; i++) {
        float x = arguments[i], y = arguments[(i * 3 + 2) % COUNT];
        print(powf(x, y)), print(fmodf(x, y)), print(remainderf(x, y)), print(atan2f(x, y)), print(hypotf(x, y)), print(nextafterf(x, y)), print(fmaf(x, y, 1.5f));
        putchar('\n');
    }
    float sum = 0, product = 1, compensation = 0;
    for (int i = 1; i <= 2000; i++) {
        volatile float term = 1.0f / (float)i;
        volatile float y = term - compensation, t = sum + y, low = (t - sum);
        compensation = low - y;
        sum = t;
        volatile float p = product * (1.0f + term * 0.001f);
        product = p;
    }
    printf("%a %a\n", sum, product);
    printf("%ld %ld %lld %d\n", lrintf(-7.5f), lroundf(-7.5f), llrintf(1e10f), ilogbf(0.1f));
    volatile float tiny = FLT_MIN;
    for (int i = 0; i < 26; i++) {
        tiny = tiny / 2;
        if (i % 5 == 0 || i > 21)
            printf("%a ", tiny);
    }
    putchar('\n');
    return 0;
}
