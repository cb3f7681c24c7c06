// steam: flags=-lm
/* complex.h: arithmetic, elementary functions, polynomial roots, and a discrete Fourier transform. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

static double tidy(double x) { return fabs(x) < 1e-9 ? 0.0 : x; }
static void show(const char *name, double complex z) { printf("%s = %.6g%+.6gi\n", name, tidy(creal(z)), tidy(cimag(z))); }

static double complex horner(const double complex *c, int degree, double complex z)
{
    double complex sum = c[degree];
    while (degree-- > 0)
        sum = sum * z + c[degree];
    return sum;
}

static void durand_kerner(const double complex *c, int degree, double complex *root)
{
    for (int i = 0; i < degree; i++)
        root[i] = cpow(0.4 + 0.9 * I, i);
    for (int round = 0; round < 60; round++)
        for (int i = 0; i < degree; i++) {
            double complex bottom = 1;
            for (int j = 0; j < degree; j++)
                if (j != i)
                    bottom *= root[i] - root[j];
            root[i] -= horner(c, degree, root[i]) / bottom;
        }
}

static void transform(int n, const double complex *in, double complex *out, int sign)
{
    for (int k = 0; k < n; k++) {
        out[k] = 0;
        for (int t = 0; t < n; t++)
            out[k] += in[t] * cexp(sign * 2 * M_PI * I * k * t / n);
    }
}

int main(void)
{
    double complex a = 3 - 4 * I, b = -1.5 + 0.5 * I;
    show("a+b", a + b);
    show("a-b", a - b);
    show("a*b", a * b);
    show("a/b", a / b);
    show("conj", conj(a));
    printf("cabs %g carg %.6f\n", cabs(a), carg(a));
    show("csqrt", csqrt(a));
    show("csqrt(-4)", csqrt(-4));
    show("cexp", cexp(b));
    show("clog", clog(a));
    show("cpow", cpow(a, b));
    show("csin", csin(b));
    show("ccos", ccos(b));
    show("ctan", ctan(b));
    show("casin", casin(b));
    show("cacos", cacos(b));
    show("catan", catan(b));
    show("csinh", csinh(b));
    show("ccosh", ccosh(b));
    show("ctanh", ctanh(b));
    show("cproj", cproj(INFINITY + 1 * I));
    float complex f = cexpf(1.0f * I);
    long double complex l = cexpl(1.0L * I);
    printf("%.5f %.5f %.10Lf %.10Lf\n", crealf(f), cimagf(f), creall(l), cimagl(l));
    printf("equal %d %d\n", a == 3 - 4 * I, a == b);

    double complex coefficients[] = {-6, 11, -6, 1}, roots[3]; /* (x-1)(x-2)(x-3) */
    durand_kerner(coefficients, 3, roots);
    for (int i = 0; i < 3; i++)
        show("root", roots[i]);
    double complex quartic[] = {1, 0, 0, 0, 1}, fourth[4];
    durand_kerner(quartic, 4, fourth);
    double product = 1;
    for (int i = 0; i < 4; i++)
        product *= cabs(fourth[i]);
    printf("product of moduli %.6f\n", product);

    double complex signal[16], spectrum[16], back[16];
    for (int i = 0; i < 16; i++)
        signal[i] = cos(2 * M_PI * 3 * i / 16) + 0.5 * sin(2 * M_PI * 5 * i / 16);
    transform(16, signal, spectrum, -1);
    transform(16, spectrum, back, 1);
    for (int i = 0; i < 16; i++)
        if (cabs(spectrum[i]) > 1e-6)
            printf("bin %d: %.3f%+.3fi\n", i, tidy(creal(spectrum[i])), tidy(cimag(spectrum[i])));
    double worst = 0;
    for (int i = 0; i < 16; i++)
        worst = fmax(worst, cabs(back[i] / 16 - signal[i]));
    printf("error small: %d\n", worst < 1e-12);
    int _Complex gaussian = 2 + 3i;
    gaussian *= 1 - 1i;
    printf("%d %d\n", __real__ gaussian, __imag__ gaussian);
    return 0;
}
