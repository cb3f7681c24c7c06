// steam: flags=-lm
/* An in-place FFT used for convolution and for multiplying numbers, and a Mandelbrot picture in text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZE 256
typedef struct {
    double re, im;
} number;

static void fft(number *v, int n, int inverse)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            number t = v[i];
            v[i] = v[j], v[j] = t;
        }
    }
    for (int length = 2; length <= n; length <<= 1) {
        double angle = 2 * M_PI / length * (inverse ? 1 : -1);
        for (int k = 0; k < length / 2; k++) {
            double c = cos(angle * k), s = sin(angle * k);
            for (int i = k; i < n; i += length) {
                number *a = &v[i], *b = &v[i + length / 2];
                double re = b->re * c - b->im * s, im = b->re * s + b->im * c;
                b->re = a->re - re, b->im = a->im - im;
                a->re += re, a->im += im;
            }
        }
    }
    if (inverse)
        for (int i = 0; i < n; i++)
            v[i].re /= n, v[i].im /= n;
}

static void multiply(const char *x, const char *y, char *out)
{
    number a[SIZE] = {{0, 0}}, b[SIZE] = {{0, 0}};
    int nx = (int)strlen(x), ny = (int)strlen(y);
    for (int i = 0; i < nx; i++)
        a[i].re = x[nx - 1 - i] - '0';
    for (int i = 0; i < ny; i++)
        b[i].re = y[ny - 1 - i] - '0';
    fft(a, SIZE, 0);
    fft(b, SIZE, 0);
    for (int i = 0; i < SIZE; i++) {
        number p = {a[i].re * b[i].re - a[i].im * b[i].im, a[i].re * b[i].im + a[i].im * b[i].re};
        a[i] = p;
    }
    fft(a, SIZE, 1);
    int digits[SIZE], carry = 0, n = nx + ny;
    for (int i = 0; i < n; i++) {
        int value = (int)lround(a[i].re) + carry;
        digits[i] = value % 10;
        carry = value / 10;
    }
    while (n > 1 && digits[n - 1] == 0)
        n--;
    while (n)
        *out++ = (char)('0' + digits[--n]);
    *out = 0;
}

static int escape(double cr, double ci)
{
    double r = 0, i = 0;
    int n = 0;
    for (; n < 60 && r * r + i * i < 4; n++) {
        double t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
    }
    return n;
}

int main(void)
{
    number signal[64], copy[64];
    for (int i = 0; i < 64; i++)
        signal[i] = copy[i] = (number){sin(2 * M_PI * 4 * i / 64) + 0.25 * cos(2 * M_PI * 10 * i / 64), 0};
    fft(signal, 64, 0);
    for (int i = 0; i < 64; i++) {
        double power = hypot(signal[i].re, signal[i].im);
        if (power > 1e-6)
            printf("bin %d: %.4f\n", i, power);
    }
    fft(signal, 64, 1);
    double worst = 0;
    for (int i = 0; i < 64; i++)
        worst = fmax(worst, fabs(signal[i].re - copy[i].re));
    printf("round trip good: %d\n", worst < 1e-12);

    char product[300];
    multiply("314159265358979323846264338327950288419716939937510582097494459", "271828182845904523536028747135266249775724709369995957496696762", product);
    puts(product);
    multiply("99999999999999999999", "99999999999999999999", product);
    puts(product);

    for (double y = -1.2; y <= 1.2; y += 0.125) {
        for (double x = -2.0; x <= 0.6; x += 0.046875)
            putchar(" .:-=+*#%@"[escape(x, y) * 9 / 60]);
        putchar('\n');
    }
    return 0;
}
