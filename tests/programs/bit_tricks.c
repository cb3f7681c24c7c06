/* Bit tricks by hand against the compiler's builtins: popcount, clz, ctz, bswap, parity, rotations, Gray codes. */
#include <stdint.h>
#include <stdio.h>

static uint64_t state = 1;
static uint64_t next(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return state ^ state >> 33;
}
static int count_bits(uint64_t v)
{
    int n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}
static int leading(uint32_t v)
{
    int n = 0;
    for (uint32_t bit = 1u << 31; bit && !(v & bit); bit >>= 1)
        n++;
    return n;
}
static int trailing(uint64_t v)
{
    int n = 0;
    for (; !(v & 1); v >>= 1)
        n++;
    return n;
}
static uint32_t reverse(uint32_t v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
}
static uint64_t interleave(uint32_t x, uint32_t y)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (uint64_t)(x >> i & 1) << (2 * i) | (uint64_t)(y >> i & 1) << (2 * i + 1);
    return r;
}
static uint32_t next_permutation(uint32_t v)
{
    uint32_t t = v | (v - 1);
    return (t + 1) | (((~t & -~t) - 1) >> (__builtin_ctz(v) + 1));
}
static uint32_t absolute(int32_t v)
{
    int32_t mask = v >> 31;
    return (uint32_t)((v ^ mask) - mask);
}
static int log10_of(uint32_t v)
{
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    int t = (32 - __builtin_clz(v | 1)) * 1233 >> 12;
    return t - (v < powers[t]);
}
static float fast_inverse_root(float x)
{
    union {
        float f;
        uint32_t i;
    } u = {x};
    u.i = 0x5f3759df - (u.i >> 1);
    return u.f * (1.5f - 0.5f * x * u.f * u.f);
}

int main(void)
{
    int wrong = 0;
    uint64_t mix = 0;
    for (int i = 0; i < 5000; i++) {
        uint64_t v = next() >> (i % 60);
        uint32_t w = (uint32_t)v;
        wrong += __builtin_popcountll(v) != count_bits(v);
        wrong += __builtin_popcount(w) != count_bits(w);
        wrong += __builtin_parityll(v) != (count_bits(v) & 1);
        if (w) {
            wrong += __builtin_clz(w) != leading(w);
            wrong += __builtin_ctz(w) != trailing(w);
            wrong += __builtin_ffs((int)w) != trailing(w) + 1;
        }
        if (v) {
            wrong += __builtin_ctzll(v) != trailing(v);
            wrong += __builtin_clzll(v) != (v >> 32 ? leading((uint32_t)(v >> 32)) : 32 + leading(w));
        }
        wrong += __builtin_bswap64(__builtin_bswap64(v)) != v || __builtin_bswap16((uint16_t)w) != (uint16_t)(w << 8 | (w >> 8 & 255));
        wrong += reverse(reverse(w)) != w;
        unsigned k = (unsigned)i % 31 + 1;
        mix ^= (uint64_t)(w << k | w >> (32 - k)) << 32 ^ (v << (k + 20) | v >> (44 - k)) ^ interleave(w, (uint32_t)i);
        wrong += absolute((int32_t)w) != (uint32_t)((int32_t)w < 0 ? -(int64_t)(int32_t)w : (int32_t)w);
    }
    printf("wrong %d, mix %016llx\n", wrong, (unsigned long long)mix);

    printf("gray:");
    for (unsigned i = 0; i < 16; i++) {
        unsigned gray = i ^ i >> 1, back = gray;
        for (unsigned shift = 1; shift < 16; shift <<= 1)
            back ^= back >> shift;
        printf(" %x%s", gray, back == i ? "" : "!");
    }
    printf("\nthree of six:");
    int n = 0;
    for (uint32_t v = 7; v < 64; v = next_permutation(v), n++)
        printf(" %02x", v);
    printf(" (%d)\nsubsets of 0x2c:", n);
    for (uint32_t s = 0x2c;; s = (s - 1) & 0x2c) {
        printf(" %x", s);
        if (s == 0)
            break;
    }
    printf("\nlog10:");
    for (uint32_t v = 1, i = 0; i < 10; i++, v = v * 10 + 9)
        printf(" %d", log10_of(v) * 10 + log10_of(v - (v > 1)));
    uint32_t power = 1;
    for (uint32_t v = 100000; power < v;)
        power <<= 1;
    printf("\npower of two %u %d %d\n", power, (power & (power - 1)) == 0, (12 & 11) == 0);
    uint32_t words[4] = {0x01020304, 0x00ff00ff, 0x80000000, 0x12003400};
    for (int i = 0; i < 4; i++)
        printf("zero byte %d, swapped %08x, reversed %08x\n", ((words[i] - 0x01010101u) & ~words[i] & 0x80808080u) != 0, __builtin_bswap32(words[i]), reverse(words[i]));
    printf("%.4f %.4f\n", fast_inverse_root(4.0f), fast_inverse_root(0.01f));
    unsigned a = 5, b = 9;
    a ^= b, b ^= a, a ^= b;
    printf("%u %u %u %d\n", a, b, (a & b) + ((a ^ b) >> 1), -(a < b));
    return 0;
}
