// steam: flags=-msse2,-lm
/* SSE and SSE2 intrinsics: arithmetic, compares, shuffles, conversions, packed integers, saturation, masks, rounding. */
#include <emmintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void floats(const char *name, __m128 v)
{
    float f[4];
    _mm_storeu_ps(f, v);
    printf("%s %a %a %a %a\n", name, f[0], f[1], f[2], f[3]);
}
static void doubles(const char *name, __m128d v)
{
    double d[2];
    _mm_storeu_pd(d, v);
    printf("%s %a %a\n", name, d[0], d[1]);
}
static void bytes(const char *name, __m128i v)
{
    uint32_t w[4];
    _mm_storeu_si128((__m128i *)w, v);
    printf("%s %08x %08x %08x %08x\n", name, w[3], w[2], w[1], w[0]);
}

static void single(void)
{
    __m128 a = _mm_setr_ps(1.5f, -2.25f, 1e10f, 0.1f), b = _mm_setr_ps(3.0f, 0.5f, -7.0f, 1e-5f);
    floats("add", _mm_add_ps(a, b));
    floats("sub", _mm_sub_ps(a, b));
    floats("mul", _mm_mul_ps(a, b));
    floats("div", _mm_div_ps(a, b));
    floats("sqrt", _mm_sqrt_ps(_mm_mul_ps(b, b)));
    floats("min", _mm_min_ps(a, b));
    floats("max", _mm_max_ps(a, b));
    floats("scalar", _mm_add_ss(a, _mm_mul_ss(b, b)));
    floats("shuffle", _mm_shuffle_ps(a, b, _MM_SHUFFLE(0, 3, 1, 2)));
    floats("unpack", _mm_unpackhi_ps(a, b));
    floats("movehl", _mm_movehl_ps(a, b));
    floats("and", _mm_and_ps(a, _mm_cmplt_ps(a, b)));
    printf("mask %x %x %x\n", _mm_movemask_ps(_mm_cmplt_ps(a, b)), _mm_movemask_ps(_mm_cmpunord_ps(a, _mm_set1_ps(NAN))), _mm_movemask_ps(_mm_cmpneq_ps(a, a)));
    printf("comi %d %d %d\n", _mm_comilt_ss(a, b), _mm_ucomieq_ss(a, a), _mm_comige_ss(a, b));
    printf("convert %d %d\n", _mm_cvtss_si32(a), _mm_cvttss_si32(_mm_set_ss(-2.75f)));
    floats("reciprocal is near", _mm_cmplt_ps(_mm_sub_ps(_mm_mul_ps(_mm_rcp_ps(b), b), _mm_set1_ps(1)), _mm_set1_ps(0.001f)));
    float transposed[4] = {0};
    __m128 c = _mm_set1_ps(2), d = _mm_setr_ps(0, 1, 2, 3);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(transposed, d);
    printf("transposed %g %g %g %g\n", transposed[0], transposed[1], transposed[2], transposed[3]);
}
static void twice(void)
{
    __m128d a = _mm_setr_pd(1.0 / 3, -1e300), b = _mm_setr_pd(7, 1e-300);
    doubles("add", _mm_add_pd(a, b));
    doubles("mul", _mm_mul_pd(a, b));
    doubles("div", _mm_div_pd(a, b));
    doubles("sqrt", _mm_sqrt_pd(b));
    doubles("unpack", _mm_unpacklo_pd(a, b));
    doubles("shuffle", _mm_shuffle_pd(a, b, 1));
    doubles("from ints", _mm_cvtepi32_pd(_mm_setr_epi32(-5, 7, 0, 0)));
    doubles("from floats", _mm_cvtps_pd(_mm_setr_ps(0.1f, -0.2f, 0, 0)));
    floats("to floats", _mm_cvtpd_ps(a));
    bytes("to ints", _mm_cvtpd_epi32(_mm_setr_pd(2.5, -3.5)));
    bytes("chopped", _mm_cvttpd_epi32(_mm_setr_pd(2.9, -3.9)));
    bytes("floats to ints", _mm_cvtps_epi32(_mm_setr_ps(0.5f, 1.5f, -2.5f, 1e20f)));
    printf("%d %x %d\n", _mm_cvtsd_si32(_mm_set_sd(-1.5)), _mm_movemask_pd(a), _mm_comigt_sd(b, a));
    for (unsigned mode = 0; mode < 4; mode++) {
        _MM_SET_ROUNDING_MODE(mode << 13);
        double third[2];
        volatile double one = 1, three = 3, half = 2.5; /* or the compiler divides in its own mode */
        _mm_storeu_pd(third, _mm_div_pd(_mm_set1_pd(one), _mm_setr_pd(three, -three)));
        printf("mode %u: %a %a %d\n", mode, third[0], third[1], _mm_cvtsd_si32(_mm_set_sd(half)));
    }
    _MM_SET_ROUNDING_MODE(_MM_ROUND_NEAREST);
    _MM_SET_EXCEPTION_STATE(0);
    __m128d quotient = _mm_set1_pd(1), zero = _mm_setzero_pd();
    unsigned flags;
    __asm__ volatile("divpd %2, %0; stmxcsr %1" : "+x"(quotient), "=m"(flags) : "x"(zero));
    flags &= 0x3f;
    doubles("by zero", quotient);
    printf("flags %x\n", flags);
}
static void integers(void)
{
    __m128i a = _mm_setr_epi8(0, 1, -1, 127, -128, 100, 50, -50, 33, 66, 99, -99, 12, 34, 56, 78), b = _mm_set1_epi8(90);
    bytes("adds", _mm_adds_epi8(a, b));
    bytes("addus", _mm_adds_epu8(a, b));
    bytes("subs", _mm_subs_epi8(a, b));
    bytes("subus", _mm_subs_epu16(a, b));
    bytes("avg", _mm_avg_epu8(a, b));
    bytes("sad", _mm_sad_epu8(a, b));
    bytes("minmax", _mm_max_epi16(_mm_min_epu8(a, b), a));
    bytes("madd", _mm_madd_epi16(a, b));
    bytes("mulhi", _mm_mulhi_epi16(a, b));
    bytes("mulhu", _mm_mulhi_epu16(a, b));
    bytes("mullo", _mm_mullo_epi16(a, b));
    bytes("muludq", _mm_mul_epu32(a, b));
    bytes("packs", _mm_packs_epi16(a, b));
    bytes("packus", _mm_packus_epi16(a, b));
    bytes("packd", _mm_packs_epi32(a, b));
    bytes("unpack", _mm_unpacklo_epi8(a, b));
    bytes("unpackw", _mm_unpackhi_epi16(a, b));
    bytes("cmpeq", _mm_cmpeq_epi8(a, _mm_slli_epi16(a, 1)));
    bytes("cmpgt", _mm_cmpgt_epi32(a, b));
    bytes("sll", _mm_slli_epi64(a, 13));
    bytes("sra", _mm_srai_epi32(a, 5));
    bytes("srl", _mm_srl_epi16(a, _mm_cvtsi32_si128(3)));
    bytes("sllbytes", _mm_slli_si128(a, 3));
    bytes("srlbytes", _mm_srli_si128(a, 7));
    bytes("shuffle", _mm_shuffle_epi32(a, _MM_SHUFFLE(1, 0, 3, 2)));
    bytes("shufflehi", _mm_shufflehi_epi16(_mm_shufflelo_epi16(a, 0x1b), 0xb1));
    bytes("andnot", _mm_andnot_si128(a, b));
    bytes("addq", _mm_add_epi64(a, _mm_sub_epi64(b, a)));
    bytes("insert", _mm_insert_epi16(a, 0x1234, 5));
    printf("%x %x %x\n", _mm_movemask_epi8(a), _mm_extract_epi16(a, 4), _mm_cvtsi128_si32(a));
    char text[16] = "................";
    _mm_maskmoveu_si128(_mm_set1_epi8('#'), a, text);
    printf("%.16s\n", text);
    int streamed;
    _mm_stream_si32(&streamed, 77);
    _mm_sfence();
    printf("%d\n", streamed);
}

int main(void)
{
    single();
    twice();
    integers();
    return 0;
}
