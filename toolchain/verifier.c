/* The functions of the software-verification competition and of other checkers (CBMC, ESBMC, KLEE), which their
 * programs declare and do not define. Compiled without -g, so that reports name the program's line and not one of this file,
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

/* And by those of ESBMC. */
WEAK void __ESBMC_assume(int condition)
{
    __VERIFIER_assume(condition);
}

WEAK void __ESBMC_assert(int condition, const char *text)
{
    __CPROVER_assert(condition, text);
}

WEAK void __ESBMC_atomic_begin(void)
{
    steam_begin_atomic();
}

WEAK void __ESBMC_atomic_end(void)
{
    steam_end_atomic();
}

/* Others may run at any point anyway. */
WEAK void __ESBMC_yield(void) {}

/* Both take the value of a function that is called nondet_... and has no body to be any one of its type. */
#define ANY_PLAIN(name, type)                                                                      \
    WEAK type nondet_##name(void)                                                                  \
    {                                                                                              \
        return __VERIFIER_nondet_##name();                                                         \
    }

#ifdef __cplusplus
ANY_PLAIN(bool, bool)
#else
ANY_PLAIN(bool, _Bool)
#endif
ANY_PLAIN(char, char)
ANY_PLAIN(schar, signed char)
ANY_PLAIN(uchar, unsigned char)
ANY_PLAIN(short, short)
ANY_PLAIN(ushort, unsigned short)
ANY_PLAIN(int, int)
ANY_PLAIN(uint, unsigned int)
ANY_PLAIN(unsigned, unsigned int)
ANY_PLAIN(unsigned_int, unsigned int)
ANY_PLAIN(unsigned_char, unsigned char)
ANY_PLAIN(long, long)
ANY_PLAIN(ulong, unsigned long)
ANY_PLAIN(size_t, size_t)
ANY_PLAIN(longlong, long long)
ANY_PLAIN(ulonglong, unsigned long long)
ANY_PLAIN(int8_t, signed char)
ANY_PLAIN(uint8_t, unsigned char)
ANY_PLAIN(int16_t, short)
ANY_PLAIN(uint16_t, unsigned short)
ANY_PLAIN(int32_t, int)
ANY_PLAIN(uint32_t, unsigned int)
ANY_PLAIN(int64_t, long long)
ANY_PLAIN(uint64_t, unsigned long long)
ANY_PLAIN(pointer, void *)
ANY_PLAIN(float, float)
ANY_PLAIN(double, double)

/* KLEE: memory and numbers of any value. Names are for its reports alone. */
WEAK void klee_make_symbolic(void *memory, size_t size, const char *name)
{
    (void)name;
    __VERIFIER_nondet_memory(memory, size);
}

WEAK int klee_int(const char *name)
{
    (void)name;
    return __VERIFIER_nondet_int();
}

/* Any number from the first to the one before the second. */
WEAK int klee_range(int begin, int end, const char *name)
{
    (void)name;
    if (begin >= end) {
        steam_assert(0, "klee_range(): the range is empty");
        abort();
    }
    return (int)((unsigned int)begin + steam_toss((unsigned int)end - (unsigned int)begin - 1));
}

WEAK void klee_assume(unsigned long condition)
{
    __VERIFIER_assume(condition != 0);
}

WEAK void klee_silent_exit(int status)
{
    exit(status);
}

WEAK void klee_abort(void)
{
    steam_assert(0, "klee_abort()");
    abort();
}

WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)file, (void)line, (void)suffix;
    steam_assert(0, message);
    abort();
}

/* What KLEE would rather see in its examples, and what it prints, changes nothing. */
WEAK void klee_prefer_cex(void *memory, unsigned long condition) { (void)memory, (void)condition; }
WEAK void klee_warning(const char *message) { (void)message; }
WEAK void klee_warning_once(const char *message) { (void)message; }

#ifdef __cplusplus
}
#endif
