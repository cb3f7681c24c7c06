// steam: flags=-lm,-frounding-math
/* fesetround, fetestexcept, feholdexcept: rounding in all four directions and the exception flags. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    int mode;
    const char *name;
} modes[] = {{FE_TONEAREST, "nearest"}, {FE_UPWARD, "up"}, {FE_DOWNWARD, "down"}, {FE_TOWARDZERO, "zero"}};

static void flags(const char *what)
{
    int set = fetestexcept(FE_ALL_EXCEPT);
    printf("%s:%s%s%s%s%s\n", what, set & FE_INEXACT ? " inexact" : "", set & FE_UNDERFLOW ? " underflow" : "", set & FE_OVERFLOW ? " overflow" : "",
           set & FE_DIVBYZERO ? " divide" : "", set & FE_INVALID ? " invalid" : "");
    feclearexcept(FE_ALL_EXCEPT);
}

static void rounding(void)
{
    volatile double one = 1, three = 3, tenth = 0.1, huge = 1e308, x = 2.5, y = -2.5;
    volatile float narrow;
    for (int i = 0; i < 4; i++) {
        fesetround(modes[i].mode);
        volatile double quotient = one / three, negative = -one / three, sum = tenth + 0.2, product = huge * 10;
        narrow = (float)0.1;
        volatile float wide_to_narrow = (float)quotient;
        printf("%s %d: %a %a %a %a %a %a\n", modes[i].name, fegetround() == modes[i].mode, quotient, negative, sum, product, wide_to_narrow, narrow);
        printf("  rint %g %g nearbyint %g lrint %ld %ld llrint %lld sqrt %a\n", rint(x), rint(y), nearbyint(0.5 + 1e-10 * x), lrint(x), lrint(y), llrint(-1e10 - 0.3),
               sqrt(x));
        printf("  floor %g ceil %g trunc %g round %g cast %d\n", floor(y), ceil(y), trunc(y), round(x), (int)y);
        char text[40];
        snprintf(text, sizeof text, "%.2f %.1e %.0f", 0.125, 1.25, 2.5);
        printf("  printf %s strtod %a\n", text, strtod("0.1", NULL));
        long double l = (long double)one / three;
        printf("  long %La\n", l);
    }
    fesetround(FE_TONEAREST);
}

static void exceptions(void)
{
    volatile double zero = 0, one = 1, tiny = DBL_MIN, huge = DBL_MAX, result;
    feclearexcept(FE_ALL_EXCEPT);
    flags("nothing");
    result = one / 3;
    flags("1/3");
    result = one / 4;
    flags("1/4");
    result = one / zero;
    flags("1/0");
    result = zero / zero;
    flags("0/0");
    result = huge * 2;
    flags("overflow");
    result = tiny / 3;
    flags("underflow");
    result = tiny / 4;
    flags("exact subnormal");
    result = sqrt(-one);
    flags("sqrt(-1)");
    result = log(zero);
    flags("log(0)");
    result = exp(1000);
    flags("exp(1000)");
    volatile int converted = (int)(one * 0.5);
    flags("(int)0.5");
    result = rint(0.5);
    flags("rint(0.5)");
    result = nearbyint(0.5);
    flags("nearbyint(0.5)");
    result = fmod(one, zero);
    flags("fmod(1,0)");
    (void)result;
    (void)converted;
}

int main(void)
{
    rounding();
    exceptions();
    fenv_t saved;
    feraiseexcept(FE_OVERFLOW);
    printf("raised %d\n", fetestexcept(FE_OVERFLOW) != 0);
    feholdexcept(&saved);
    printf("held %d\n", fetestexcept(FE_ALL_EXCEPT) != 0);
    feraiseexcept(FE_DIVBYZERO);
    feupdateenv(&saved);
    flags("merged");
    fexcept_t kept;
    feraiseexcept(FE_INVALID | FE_INEXACT);
    fegetexceptflag(&kept, FE_INVALID);
    feclearexcept(FE_ALL_EXCEPT);
    fesetexceptflag(&kept, FE_ALL_EXCEPT);
    flags("restored");
    fesetenv(FE_DFL_ENV);
    printf("default mode %d\n", fegetround() == FE_TONEAREST);
    return 0;
}
