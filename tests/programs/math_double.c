// steam: flags=-lm
/* The double functions of math.h on a table of arguments, results printed exactly. */
#include <float.h>
#include <math.h>
#include <stdio.h>

static const double arguments[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -2.5, 3.14159265358979, 10.0, 1e-10, 100.25, -1e5, 1e15, 1e-300, 700.5, DBL_MIN, 5e-324};
static const struct {
    const char *name;
    double (*function)(double);
} unary[] = {{"sin", sin}, {"cos", cos}, {"tan", tan}, {"asin", asin}, {"acos", acos}, {"atan", atan}, {"sinh", sinh}, {"cosh", cosh}, {"tanh", tanh},
             {"asinh", asinh}, {"acosh", acosh}, {"atanh", atanh}, {"exp", exp}, {"exp2", exp2}, {"expm1", expm1}, {"log", log}, {"log2", log2},
             {"log10", log10}, {"log1p", log1p}, {"sqrt", sqrt}, {"cbrt", cbrt}, {"erf", erf}, {"erfc", erfc}, {"tgamma", tgamma}, {"lgamma", lgamma},
             {"floor", floor}, {"ceil", ceil}, {"trunc", trunc}, {"round", round}, {"rint", rint}, {"nearbyint", nearbyint}, {"logb", logb}, {"fabs", fabs},
             {"j0", j0}, {"j1", j1}, {"y0", y0}};
static const struct {
    const char *name;
    double (*function)(double, double);
} binary[] = {{"pow", pow}, {"atan2", atan2}, {"fmod", fmod}, {"remainder", remainder}, {"hypot", hypot}, {"fdim", fdim}, {"fmax", fmax},
              {"fmin", fmin}, {"copysign", copysign}, {"nextafter", nextafter}, {"drem", drem}};

static void print(double value)
{
    if (isnan(value))
        printf(" nan"); /* the sign of a NaN result is not specified */
    else
        printf(" %a", value);
}

int main(void)
{
    size_t count = sizeof arguments / sizeof *arguments;
    for (size_t f = 0; f < sizeof unary / sizeof *unary; f++) {
        printf("%s:", unary[f].name);
        for (size_t i = 0; i < count; i++)
            print(unary[f].function(arguments[i]));
        print(unary[f].function(INFINITY));
        print(unary[f].function(-INFINITY));
        print(unary[f].function(NAN));
        putchar('\n');
    }
    for (size_t f = 0; f < sizeof binary / sizeof *binary; f++) {
        printf("%s:", binary[f].name);
        for (size_t i = 0; i < count; i++)
            print(binary[f].function(arguments[i], arguments[(i * 5 + 3) % count]));
        print(binary[f].function(2.0, INFINITY));
        print(binary[f].function(-INFINITY, 3.0));
        putchar('\n');
    }
    for (size_t i = 0; i < count; i++) {
        int exponent, quotient;
        double whole, x = arguments[i];
        double mantissa = frexp(x, &exponent), fraction = modf(x, &whole);
        printf("%a*2^%d %a+%a ", mantissa, exponent, whole, fraction);
        printf("%a %a ", ldexp(x, 5), scalbn(x, -3));
        print(remquo(x, 0.7, &quotient));
        printf(" %d | %d %d %d %d\n", quotient & 7, fpclassify(x) == FP_SUBNORMAL, signbit(x) != 0, isnormal(x), isless(x, 1.0));
    }
    printf("%ld %ld %ld %ld %lld %lld %ld\n", lrint(2.5), lrint(3.5), lrint(-2.5), lround(2.5), llrint(-1e15 - 0.5), llround(0.49999999999999994), lround(-0.5));
    printf("%a %a %d\n", fma(0.1, 10, -1), fma(1e300, 1e10, -INFINITY), ilogb(1e-310));
    return 0;
}
