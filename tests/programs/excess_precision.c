/* Where x87 keeps more bits than the type: results differ between levels and are compared only with the same binary. */
#include <float.h>
#include <stdio.h>

static double third(double x) { return x / 3; }
static float product(float a, float b) { return a * b; }
static int same(double a, double b) { return third(a) == a / b; }

static double polynomial(const double *c, int n, double x)
{
    double sum = 0;
    while (n--)
        sum = sum * x + c[n];
    return sum;
}
static double newton(double n)
{
    double x = n;
    for (int i = 0; i < 40; i++)
        x = (x + n / x) / 2;
    return x;
}
static double leibniz(int n)
{
    double sum = 0, sign = 1;
    for (int i = 0; i < n; i++, sign = -sign)
        sum += sign / (2 * i + 1);
    return 4 * sum;
}
static float harmonic(int n)
{
    float sum = 0;
    for (int i = 1; i <= n; i++)
        sum += 1.0f / (float)i;
    return sum;
}
static double logistic(double r, int n)
{
    double x = 0.5;
    while (n--)
        x = r * x * (1 - x);
    return x;
}
static double integrate(double (*f)(double), double a, double b, int n)
{
    double h = (b - a) / n, sum = f(a) + f(b);
    for (int i = 1; i < n; i++)
        sum += f(a + i * h) * (i % 2 ? 4 : 2);
    return sum * h / 3;
}
static double bell(double x) { return 1 / (1 + x * x); }

static void lorenz(double *x, double *y, double *z, int n)
{
    const double dt = 0.01;
    while (n--) {
        double dx = 10 * (*y - *x), dy = *x * (28 - *z) - *y, dz = *x * *y - 8.0 / 3 * *z;
        *x += dx * dt, *y += dy * dt, *z += dz * dt;
    }
}

int main(void)
{
    printf("method %d\n", (int)FLT_EVAL_METHOD);
    printf("same %d %d %d\n", same(1, 3), same(10, 3), same(0.7, 3));
    printf("%a %a\n", product(1.1f, 1.1f), (double)(1.1f * 1.1f) - product(1.1f, 1.1f));
    static const double c[] = {1, -0.5, 0.25, -0.125, 1.0 / 3, 0.1};
    for (int i = 0; i < 5; i++)
        printf("%a ", polynomial(c, 6, i * 0.37));
    putchar('\n');
    printf("%a %a\n", newton(2), newton(1e300));
    printf("%a %a\n", leibniz(2000), harmonic(5000));
    printf("%a\n", logistic(3.9, 200));
    printf("%a\n", integrate(bell, 0, 1, 100));
    double x = 1, y = 1, z = 1;
    lorenz(&x, &y, &z, 1500);
    printf("%a %a %a\n", x, y, z);
    double tiny = DBL_MIN, overflow = DBL_MAX;
    printf("%a %a\n", tiny / 1e10 * 1e10, overflow * 2 / 2);
    int differ = 0;
    for (int i = 1; i < 1000; i++) {
        double a = i / 10.0, b = a * 10;
        differ += b != i;
        float f = (float)i / 7;
        differ += f * 7 != (float)i;
    }
    printf("differ %d\n", differ);
    return 0;
}
