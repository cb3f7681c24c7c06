/* 64-bit arithmetic on a 32-bit machine: multiply, divide, remainder, shifts, comparisons, overflow. */
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static const int64_t samples[] = {0, 1, -1, 2, -2, 3, 10, -10, 127, 65535, 65536, INT32_MAX, INT32_MIN, (int64_t)UINT32_MAX, (int64_t)1 << 32,
                                  -((int64_t)1 << 32), 0x123456789abcdefLL, -0x123456789abcdefLL, 1000000007LL * 998244353LL, INT64_MAX, INT64_MIN};
#define COUNT (sizeof samples / sizeof *samples)

static uint64_t state = 88172645463325252ull;
static uint64_t xorshift(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uint64_t hash;
static void mix(uint64_t value) { hash = (hash ^ value) * 0x100000001b3ull + (hash >> 29); }

static uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1;
    for (base %= modulus; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static uint64_t square_root(uint64_t n)
{
    uint64_t root = 0, bit = 1ull << 62;
    while (bit > n)
        bit >>= 2;
    for (; bit; bit >>= 2)
        if (n >= root + bit) {
            n -= root + bit;
            root = (root >> 1) + bit;
        } else
            root >>= 1;
    return root;
}

int main(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            int64_t a = samples[i], b = samples[j], r;
            uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
            mix(ua + ub), mix(ua - ub), mix(ua * ub);
            if (b != 0 && !(a == INT64_MIN && b == -1))
                mix((uint64_t)(a / b)), mix((uint64_t)(a % b));
            if (ub)
                mix(ua / ub), mix(ua % ub);
            mix((a < b) + 2 * (a <= b) + 4 * (ua < ub) + 8 * (ua >= ub) + 16 * (a == b));
            mix(__builtin_add_overflow(a, b, &r)), mix((uint64_t)r);
            mix(__builtin_sub_overflow(a, b, &r)), mix((uint64_t)r);
            mix(__builtin_mul_overflow(a, b, &r)), mix((uint64_t)r);
            int32_t narrow;
            mix(__builtin_mul_overflow(a, b, &narrow)), mix((uint32_t)narrow);
            mix(__builtin_add_overflow((uint32_t)a, (int32_t)b, &narrow)), mix((uint32_t)narrow);
        }
        printf("%" PRId64 " >>5 %" PRId64 " <<7 %" PRIx64 " hash %016" PRIx64 "\n", samples[i], samples[i] >> 5, (uint64_t)samples[i] << 7, hash);
    }
    for (unsigned shift = 0; shift < 64; shift++) {
        uint64_t v = 0x8123456789abcdefull;
        mix(v << shift), mix(v >> shift), mix((uint64_t)((int64_t)v >> shift)), mix(v << shift | v >> (-shift & 63));
    }
    for (int i = 0; i < 20000; i++) {
        uint64_t a = xorshift(), b = xorshift() >> (i % 64);
        if (b == 0)
            continue;
        uint64_t q = a / b, r = a % b;
        if (q * b + r != a || r >= b)
            printf("wrong quotient at %d\n", i);
        mix(q), mix(r);
        int64_t sq = (int64_t)a / (int32_t)(b | 1), sr = (int64_t)a % (int32_t)(b | 1);
        mix((uint64_t)sq), mix((uint64_t)sr);
    }
    printf("hash %016" PRIx64 "\n", hash);
    printf("%" PRIu64 " %" PRIu64 "\n", power_mod(3, 1000000006, 1000000007), power_mod(2, 123456789, 4294967291ull));
    printf("%" PRIu64 " %" PRIu64 "\n", gcd(1071ull << 30, 462ull << 33), square_root(UINT64_MAX));
    double d = (double)(int64_t)0x7fffffffffffff00LL;
    printf("%.0f %.0f %" PRId64 " %" PRIu64 "\n", d, (double)UINT64_MAX, (int64_t)-1.9e18, (uint64_t)1.7e19);
    printf("%.1f %" PRId64 "\n", (double)(float)(1ull << 63), (int64_t)(float)-3.99f);
    return 0;
}
