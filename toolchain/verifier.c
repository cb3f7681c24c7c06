/* The functions of the software-verification competition, which its programs declare and do not
 * define. Compiled without -g, so that reports name the program's line and not one of this file,
 * and put into an archive: the linker takes it only where one of the functions is missing. All are
 * weak, because many programs define some of them (reach_error, __VERIFIER_assert). */
#include <stdlib.h>

#include "steam.h"

#define WEAK __attribute__((__weak__))

#ifdef __cplusplus
extern "C" {
#endif

/* A call that comes back would let the program go on where it must not. */
WEAK void reach_error(void)
{
    steam_assert(0, "reach_error()");
    abort();
}

WEAK void __VERIFIER_error(void)
{
    steam_assert(0, "__VERIFIER_error()");
    abort();
}

WEAK void __VERIFIER_assert(int condition)
{
    steam_assert(condition != 0, "__VERIFIER_assert()");
    if (!condition)
        abort();
}

/* Natively the program ends: going on could run into what the assumption excludes. */
WEAK void __VERIFIER_assume(int condition)
{
    steam_assume(condition != 0);
    if (!condition)
        exit(0);
}

/* What GenMC and Dartagnan are told of loops, to explore less: here nothing is left out. */
WEAK void __VERIFIER_loop_begin(void) {}
WEAK void __VERIFIER_loop_bound(int bound) { (void)bound; }
WEAK void __VERIFIER_spin_start(void) {}
WEAK void __VERIFIER_spin_end(int goes_on) { (void)goes_on; }
WEAK void __VERIFIER_potential_spin_end(int goes_on) { (void)goes_on; }

WEAK void __VERIFIER_silent_exit(void)
{
    exit(0);
}

WEAK void __VERIFIER_atomic_begin(void)
{
    steam_begin_atomic();
}

WEAK void __VERIFIER_atomic_end(void)
{
    steam_end_atomic();
}

/* Any value of a type of up to 32 bits: a toss with its whole range. The conversion wraps, so that
 * 0, the native answer, stays 0. */
#define ANY(name, type, largest)                                                                   \
    WEAK type __VERIFIER_nondet_##name(void)                                                       \
    {                                                                                              \
        return (type)steam_toss(largest);                                                          \
    }

/* Wider ones are put together from two tosses. */
#define ANY_WIDE(name, type)                                                                       \
    WEAK type __VERIFIER_nondet_##name(void)                                                       \
    {                                                                                              \
        unsigned long long high = steam_toss(0xffffffffu);                                         \
        return (type)(high << 32 | steam_toss(0xffffffffu));                                       \
    }

#ifdef __cplusplus
ANY(bool, bool, 1)
#else
ANY(bool, _Bool, 1)
#endif
ANY(char, char, 0xffu)
ANY(schar, signed char, 0xffu)
ANY(uchar, unsigned char, 0xffu)
ANY(u8, unsigned char, 0xffu)
ANY(short, short, 0xffffu)
ANY(ushort, unsigned short, 0xffffu)
ANY(u16, unsigned short, 0xffffu)
ANY(int, int, 0xffffffffu)
ANY(uint, unsigned int, 0xffffffffu)
ANY(unsigned, unsigned int, 0xffffffffu)
ANY(u32, unsigned int, 0xffffffffu)
ANY(long, long, 0xffffffffu)
ANY(ulong, unsigned long, 0xffffffffu)
ANY(size_t, size_t, 0xffffffffu)
ANY(sector_t, unsigned long, 0xffffffffu)
ANY_WIDE(loff_t, long long)
ANY(pointer, void *, 0xffffffffu)
ANY(pchar, char *, 0xffffffffu)
ANY(pthread_t, unsigned long, 0xffffffffu)
ANY(charp, char *, 0xffffffffu)
ANY(const_char_pointer, const char *, 0xffffffffu)
ANY(S8, signed char, 0xffu)
ANY(U8, unsigned char, 0xffu)
ANY(int8_t, signed char, 0xffu)
ANY(uint8_t, unsigned char, 0xffu)
ANY(s16, short, 0xffffu)
ANY(int16_t, short, 0xffffu)
ANY(uint16_t, unsigned short, 0xffffu)
ANY(s32, int, 0xffffffffu)
ANY(int32_t, int, 0xffffffffu)
ANY(uint32_t, unsigned int, 0xffffffffu)
ANY(unsigned_int, unsigned int, 0xffffffffu)
ANY(unsigned_char, unsigned char, 0xffu)
ANY_WIDE(longlong, long long)
ANY_WIDE(ulonglong, unsigned long long)
ANY_WIDE(s64, long long)
ANY_WIDE(u64, unsigned long long)
ANY_WIDE(int64_t, long long)
ANY_WIDE(uint64_t, unsigned long long)

WEAK void __VERIFIER_nondet_memory(void *memory, size_t size)
{
    for (size_t at = 0; at < size; at++)
        ((unsigned char *)memory)[at] = (unsigned char)steam_toss(0xffu);
}

/* Any bits, that is, infinities and not-a-number too. */
WEAK float __VERIFIER_nondet_float(void)
{
    union {
        unsigned int bits;
        float value;
    } any;
    any.bits = steam_toss(0xffffffffu);
    return any.value;
}

WEAK double __VERIFIER_nondet_double(void)
{
    union {
        unsigned int bits[2];
        double value;
    } any;
    any.bits[0] = steam_toss(0xffffffffu);
    any.bits[1] = steam_toss(0xffffffffu);
    return any.value;
}

/* The same by the names of CBMC. */
WEAK void __CPROVER_assume(int condition)
{
    __VERIFIER_assume(condition);
}

WEAK void __CPROVER_assert(int condition, const char *text)
{
    steam_assert(condition != 0, text);
    if (!condition)
        abort();
}

WEAK void __CPROVER_atomic_begin(void)
{
    steam_begin_atomic();
}

WEAK void __CPROVER_atomic_end(void)
{
    steam_end_atomic();
}

#ifdef __cplusplus
}
#endif
