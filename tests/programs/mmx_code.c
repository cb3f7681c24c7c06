// steam: flags=-mmmx,-msse
/* MMX: packed arithmetic through intrinsics, mixing with x87 after emms, and the SSE additions to MMX. */
#include <mmintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <xmmintrin.h>

static uint64_t raw(__m64 v)
{
    uint64_t r;
    memcpy(&r, &v, sizeof r);
    return r;
}
static __m64 make(uint64_t v)
{
    __m64 r;
    memcpy(&r, &v, sizeof r);
    return r;
}
#define SHOW(expression) \
    { \
        uint64_t result = raw(expression); \
        _mm_empty(); \
        printf("%-28s %016llx\n", #expression, (unsigned long long)result); \
    }

static void blend(const uint8_t *a, const uint8_t *b, uint8_t *out, int n, short alpha)
{
    __m64 zero = _mm_setzero_si64(), weight = _mm_set1_pi16(alpha);
    for (int i = 0; i < n; i += 4) {
        uint32_t x, y;
        memcpy(&x, a + i, 4);
        memcpy(&y, b + i, 4);
        __m64 wide_a = _mm_unpacklo_pi8(_mm_cvtsi32_si64((int)x), zero), wide_b = _mm_unpacklo_pi8(_mm_cvtsi32_si64((int)y), zero);
        __m64 mixed = _mm_add_pi16(wide_b, _mm_srai_pi16(_mm_mullo_pi16(_mm_sub_pi16(wide_a, wide_b), weight), 7));
        uint32_t packed = (uint32_t)_mm_cvtsi64_si32(_mm_packs_pu16(mixed, zero));
        memcpy(out + i, &packed, 4);
    }
    _mm_empty();
}

int main(void)
{
    __m64 a = make(0x017f80ff4455fe02ull), b = make(0x7f02ff01aa33c0deull);
    SHOW(_mm_add_pi8(a, b))
    SHOW(_mm_add_pi16(a, b))
    SHOW(_mm_add_pi32(a, b))
    SHOW(_mm_adds_pi8(a, b))
    SHOW(_mm_adds_pu16(a, b))
    SHOW(_mm_sub_pi8(a, b))
    SHOW(_mm_subs_pu8(a, b))
    SHOW(_mm_subs_pi16(a, b))
    SHOW(_mm_mullo_pi16(a, b))
    SHOW(_mm_mulhi_pi16(a, b))
    SHOW(_mm_madd_pi16(a, b))
    SHOW(_mm_packs_pi16(a, b))
    SHOW(_mm_packs_pi32(a, b))
    SHOW(_mm_packs_pu16(a, b))
    SHOW(_mm_unpackhi_pi8(a, b))
    SHOW(_mm_unpacklo_pi16(a, b))
    SHOW(_mm_unpackhi_pi32(a, b))
    SHOW(_mm_cmpeq_pi8(a, a))
    SHOW(_mm_cmpgt_pi16(a, b))
    SHOW(_mm_slli_pi16(a, 5))
    SHOW(_mm_sll_si64(a, make(9)))
    SHOW(_mm_srai_pi32(b, 11))
    SHOW(_mm_srli_si64(b, 60))
    SHOW(_mm_and_si64(a, b))
    SHOW(_mm_andnot_si64(a, b))
    SHOW(_mm_xor_si64(a, b))
    SHOW(_mm_avg_pu8(a, b))
    SHOW(_mm_max_pi16(a, b))
    SHOW(_mm_min_pu8(a, b))
    SHOW(_mm_mulhi_pu16(a, b))
    SHOW(_mm_sad_pu8(a, b))
    SHOW(_mm_shuffle_pi16(a, 0x1b))
    SHOW(_mm_insert_pi16(a, 0x7777, 2))
    int mask = _mm_movemask_pi8(b), word = _mm_extract_pi16(a, 3);
    _mm_empty();
    printf("%x %x\n", mask, word);

    uint8_t x[64], y[64], z[64];
    for (int i = 0; i < 64; i++)
        x[i] = (uint8_t)(i * 4), y[i] = (uint8_t)(255 - i * 3);
    blend(x, y, z, 64, 48);
    unsigned sum = 0;
    for (int i = 0; i < 64; i++)
        sum = sum * 7 + z[i];
    printf("blend %08x\n", sum);
    volatile double real = 1.5;
    real = real * real + 0.25;
    printf("x87 works after emms: %g\n", real);
    return 0;
}
