// steam: flags=-lm
/* Loops that compilers turn into vector code: sums, saxpy, minimum, dot products, histograms, strides, conversions, GNU vectors. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1003
static float xs[N], ys[N];
static double ds[N];
static int32_t is[N], js[N];
static int16_t hs[N];
static uint8_t bs[N];
static int64_t qs[N];

static void fill(void)
{
    uint32_t s = 17;
    for (int i = 0; i < N; i++) {
        s = s * 1664525u + 1013904223u;
        xs[i] = (float)(int32_t)(s >> 12) / 1024.0f;
        ys[i] = (float)((int32_t)s >> 20);
        ds[i] = (double)(int32_t)s / 65536.0;
        is[i] = (int32_t)s;
        js[i] = (int32_t)(s >> 7) - 5000;
        hs[i] = (int16_t)(s >> 9);
        bs[i] = (uint8_t)(s >> 13);
        qs[i] = (int64_t)((uint64_t)s * s);
    }
}
static void __attribute__((noinline)) saxpy(float *restrict y, const float *restrict x, float a, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}
static int32_t __attribute__((noinline)) dot16(const int16_t *a, const int16_t *b, int n)
{
    int32_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i] >> 4;
    return sum;
}
static void __attribute__((noinline)) grey(uint8_t *restrict out, const uint8_t *restrict in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (uint8_t)((in[i * 3] * 77 + in[i * 3 + 1] * 150 + in[i * 3 + 2] * 29) >> 8);
}
static int __attribute__((noinline)) count_if(const int32_t *v, int n, int32_t low, int32_t high)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += v[i] >= low && v[i] < high;
    return count;
}
static void __attribute__((noinline)) clamp(int32_t *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = v[i] < -1000 ? -1000 : v[i] > 100000 ? 100000 : v[i];
}
static uint32_t __attribute__((noinline)) mixed(int n)
{
    uint32_t hash = 0;
    for (int i = 0; i < n; i++) {
        qs[i] = (int64_t)((uint64_t)qs[i] * 3 + (uint64_t)is[i]);
        hs[i] = (int16_t)(hs[i] ^ bs[i]);
        is[i] = (is[i] >> (i & 7)) + (int32_t)xs[i];
    }
    for (int i = 0; i < n; i++)
        hash = hash * 31 + (uint32_t)qs[i] + (uint32_t)(qs[i] >> 32) + (uint32_t)hs[i] + (uint32_t)is[i];
    return hash;
}
typedef float float4 __attribute__((vector_size(16)));
typedef int int4 __attribute__((vector_size(16)));

int main(void)
{
    fill();
    saxpy(ys, xs, 2.5f, N);
    double total = 0;
    float low = ys[0], high = ys[0];
    for (int i = 0; i < N; i++) {
        total += ys[i];
        low = ys[i] < low ? ys[i] : low;
        high = ys[i] > high ? ys[i] : high;
    }
    printf("%.3f %.3f %.3f\n", total, low, high);
    printf("%d %d\n", dot16(hs, hs + 1, N - 1), count_if(js, N, 0, 1 << 24));
    clamp(js, N);
    int64_t sum = 0;
    int32_t most = js[0];
    uint32_t bits = 0;
    for (int i = 0; i < N; i++) {
        sum += js[i];
        most = js[i] > most ? js[i] : most;
        bits |= (uint32_t)is[i] & 0x00ff00ff;
    }
    printf("%lld %d %08x\n", (long long)sum, most, bits);
    uint8_t out[N / 3];
    grey(out, bs, N / 3);
    unsigned hash = 0;
    for (int i = 0; i < N / 3; i++)
        hash = hash * 33 + out[i];
    printf("%08x\n", hash);
    for (int i = 0; i < N; i++)
        ds[i] = sqrt(fabs(ds[i])) + (double)hs[i];
    double squares = 0;
    for (int i = 0; i < N; i++)
        squares += ds[i] * ds[i];
    printf("%.6e\n", squares);
    printf("%08x\n", mixed(N));
    memmove(bs + 1, bs, N - 1);
    for (int i = 0; i < N; i++)
        bs[i] = (uint8_t)(bs[N - 1 - i] + (bs[i] > 128 ? 255 - bs[i] : bs[i]));
    unsigned bytes = 0;
    for (int i = 0; i < N; i++)
        bytes += bs[i];
    printf("%u\n", bytes);
    float4 v = {1, 2, 3, 4}, w = {0.5f, 0.25f, 2, 8};
    int4 mask = v > w * 2;
    v = v * w - v / w;
    printf("%g %g %g %g | %d %d %d %d\n", v[0], v[1], v[2], v[3], mask[0], mask[1], mask[2], mask[3]);
    int4 shuffled = __builtin_shufflevector(mask, (int4){10, 20, 30, 40}, 0, 5, 2, 7) << 2;
    printf("%d %d %d %d\n", shuffled[0], shuffled[1], shuffled[2], shuffled[3]);
    return 0;
}
