// steam: levels=O0,O2 flags=-march=x86-64-v2,-lm
/* Code for CPUs with SSE4.2: what the compiler makes of plain C, and the instructions by their intrinsics. */
#include <math.h>
#include <nmmintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

static void show(const char *name, __m128i value)
{
	uint32_t words[4];
	memcpy(words, &value, sizeof words);
	printf("%s %08x %08x %08x %08x\n", name, words[3], words[2], words[1], words[0]);
}

static int first_of(const char *text, const char *letters)
{
	__m128i a = _mm_loadu_si128((const __m128i *)letters);
	__m128i b = _mm_loadu_si128((const __m128i *)text);
	return _mm_cmpistri(a, b, _SIDD_CMP_EQUAL_ANY);
}

__attribute__((target("lzcnt,bmi"))) static void bit_counts(void)
{
	volatile uint32_t words[] = {0, 1, 0x80000000, 0x00f0, 0xffffffff};
	for (int i = 0; i < 5; i++) {
		uint32_t zeros = __builtin_ia32_lzcnt_u32(words[i]);
		uint32_t ends;
		__asm__("rep bsf %1, %0" : "=r"(ends) : "r"(words[i]), "0"(77) : "cc");
		printf("%u %u %d\n", zeros, ends, __builtin_popcount(words[i]));
	}
}

int main(void)
{
	char text[17] = "hello, world 123", letters[17] = "123,";
	float floats[4] = {1.5f, -2.5f, 3.49f, -0.4f};
	int16_t words[8] = {1, -2, 300, -400, 5, 6, -7, 32767};
	__m128i a = _mm_loadu_si128((const __m128i *)text);
	__m128i b = _mm_loadu_si128((const __m128i *)words);
	show("shuffle", _mm_shuffle_epi8(a, _mm_set1_epi8(3)));
	show("abs", _mm_abs_epi16(b));
	show("sign", _mm_sign_epi8(a, b));
	show("hadd", _mm_hadd_epi16(b, b));
	show("align", _mm_alignr_epi8(a, b, 5));
	show("min", _mm_min_epi32(a, b));
	show("mul", _mm_mullo_epi32(a, b));
	show("widen", _mm_cvtepi16_epi32(b));
	show("blend", _mm_blendv_epi8(a, b, b));
	show("pack", _mm_packus_epi32(a, b));
	show("insert", _mm_insert_epi32(a, 77, 2));
	show("equal", _mm_cmpeq_epi64(a, a));
	show("sad", _mm_mpsadbw_epu8(a, b, 5));
	show("least", _mm_minpos_epu16(b));
	__m128 f = _mm_loadu_ps(floats);
	show("floor", _mm_castps_si128(_mm_floor_ps(f)));
	show("dot", _mm_castps_si128(_mm_dp_ps(f, f, 0xf1)));
	show("add-subtract", _mm_castps_si128(_mm_addsub_ps(f, f)));
	printf("%d %d %d\n", _mm_testz_si128(a, b), _mm_testc_si128(a, a), _mm_extract_epi8(a, 3));
	printf("%d %d\n", first_of(text, letters), first_of(text + 8, letters));
	uint32_t sum = 0;
	for (int i = 0; i < 16; i++)
		sum = _mm_crc32_u8(sum, text[i]);
	printf("%08x %08x\n", sum, _mm_crc32_u32(sum, 0x12345678));
	printf("%.1f %.1f %.1f %.1f\n", floor(2.7), ceil(-2.7), rint(2.5), trunc(-2.9));
	bit_counts();
	unsigned processor;
	(void)__rdtscp(&processor);
	return 0;
}
