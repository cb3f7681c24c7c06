/* Requests of a guest program to the model checker steam, for C and C++.
 *
 * Each request is one instruction that does nothing on a real CPU, so an annotated program still
 * runs natively: assertions and assumptions are not checked there, atomic blocks are not atomic, a
 * toss gives 0. Locks are the exception: natively they are spin locks, so that they do exclude.
 *
 *     VASSERT(e)              e must be true (the expression is evaluated natively too)
 *     VLOCK(p)  VUNLOCK(p)    lock and unlock what the address p names; any object will do
 *     BEGINATOMIC  ENDATOMIC  what stands between them is one step; pairs nest
 *     VS_toss(n)              any number from 0 to n; VTOSS(n) is the same
 *     VS_assert(e)            as VASSERT
 *     steam_assume(e)         look at nothing that follows if e is false
 *     steam_progress()        the thread gets on: a cycle over this is no livelock
 *
 * What a program says of itself. It is verified, and a lie is an error:
 *
 *     STEAM_OPERATION(p)      what follows in this block is one operation on the object p points to:
 *                             no other thread can observe that it is not done at once
 *     STEAM_ATOMIC(x)         accesses to the global or static variable x are atomic: single loads and
 *                             stores, or instructions that lock the bus; races with it are none
 *     steam_unshared(p, n)    from here on this thread alone touches the n bytes at p,
 *     steam_shared(p, n)      up to here, or until another thread has joined the thread
 *
 * The names with capitals are those of StEAM and VeriSoft; the functions behind them are steam_*.
 */
#ifndef STEAM_H
#define STEAM_H

#include <sched.h>

/* The numbers are those of vm-isa/src/request.rs, as text for the assembler. */
#define STEAM_REQUEST_ASSERT "1"
#define STEAM_REQUEST_LOCK "2"
#define STEAM_REQUEST_UNLOCK "3"
#define STEAM_REQUEST_BEGIN_ATOMIC "4"
#define STEAM_REQUEST_END_ATOMIC "5"
#define STEAM_REQUEST_TOSS "6"
#define STEAM_REQUEST_ASSUME "7"
#define STEAM_REQUEST_PROGRESS "8"
#define STEAM_REQUEST_BEGIN_OPERATION "9"
#define STEAM_REQUEST_END_OPERATION "10"
#define STEAM_REQUEST_UNSHARED "11"
#define STEAM_REQUEST_SHARED "12"
#define STEAM_REQUEST_ATOMIC "13"

/* `nopl 'S' 'T' number 0 (%eax)`: 0 in eax before it, the arguments in ecx and edx. "memory" keeps
 * the compiler from moving accesses of shared variables across it. On other CPUs it is nothing. */
#if defined(__i386__) || defined(__x86_64__)
#define STEAM_REQUEST(number, result, first, second)                                               \
    __asm__ __volatile__(".byte 0x0f, 0x1f, 0x80, 0x53, 0x54, " number ", 0"                       \
                         : "+a"(result)                                                            \
                         : "c"(first), "d"(second)                                                 \
                         : "memory")
#else
#define STEAM_REQUEST(number, result, first, second)                                               \
    __asm__ __volatile__("" : "+r"(result) : "r"(first), "r"(second) : "memory")
#endif

/* Always inline: a request then belongs to the source line that makes it. */
#define STEAM_INLINE static __inline__ __attribute__((__always_inline__, __unused__))

#ifdef __cplusplus
extern "C" {
#endif

/* The locks that are held natively, for all files of a program together; the checker has its own
 * and never touches these. */
struct steam_native_locks {
    unsigned char guard;
    unsigned int held;
    const volatile void *addresses[64];
};
__attribute__((__weak__)) struct steam_native_locks steam_native_locks = {0, 0, {0}};

/* Takes or drops an address under the guard; says whether that was possible. */
__attribute__((__weak__, __noinline__)) int steam_native_change(const volatile void *address,
                                                                int take);
__attribute__((__weak__, __noinline__)) int steam_native_change(const volatile void *address,
                                                                int take)
{
    struct steam_native_locks *locks = &steam_native_locks;
    unsigned int limit = sizeof locks->addresses / sizeof locks->addresses[0];
    unsigned int at = 0;
    int possible;
    while (__atomic_test_and_set(&locks->guard, __ATOMIC_ACQUIRE))
        sched_yield();
    while (at < locks->held && locks->addresses[at] != address)
        at++;
    if (take) {
        possible = at == locks->held && at < limit;
        if (possible)
            locks->addresses[locks->held++] = address;
    } else {
        possible = at < locks->held;
        if (possible)
            locks->addresses[at] = locks->addresses[--locks->held];
    }
    __atomic_clear(&locks->guard, __ATOMIC_RELEASE);
    return possible;
}

STEAM_INLINE void steam_assert(int condition, const char *text)
{
    unsigned int ignored = 0;
    STEAM_REQUEST(STEAM_REQUEST_ASSERT, ignored, condition, text);
}

STEAM_INLINE void steam_lock(const volatile void *address)
{
    unsigned int done = 0;
    STEAM_REQUEST(STEAM_REQUEST_LOCK, done, address, 0);
    while (!done && !steam_native_change(address, 1))
        sched_yield();
}

STEAM_INLINE void steam_unlock(const volatile void *address)
{
    unsigned int done = 0;
    STEAM_REQUEST(STEAM_REQUEST_UNLOCK, done, address, 0);
    if (!done)
        steam_native_change(address, 0);
}

STEAM_INLINE void steam_begin_atomic(void)
{
    unsigned int ignored = 0;
    STEAM_REQUEST(STEAM_REQUEST_BEGIN_ATOMIC, ignored, 0, 0);
}

STEAM_INLINE void steam_end_atomic(void)
{
    unsigned int ignored = 0;
    STEAM_REQUEST(STEAM_REQUEST_END_ATOMIC, ignored, 0, 0);
}

/* Any number from 0 to `largest`, which counts as well. */
STEAM_INLINE unsigned int steam_toss(unsigned int largest)
{
    unsigned int chosen = 0;
    STEAM_REQUEST(STEAM_REQUEST_TOSS, chosen, largest, 0);
    return chosen;
}

STEAM_INLINE void steam_assume(int condition)
{
    unsigned int ignored = 0;
    STEAM_REQUEST(STEAM_REQUEST_ASSUME, ignored, condition, 0);
}

STEAM_INLINE void steam_progress(void)
{
    unsigned int ignored = 0;
    STEAM_REQUEST(STEAM_REQUEST_PROGRESS, ignored, 0, 0);
}

STEAM_INLINE char steam_begin_operation(const volatile void *object)
{
    unsigned int ignored = 0;
    STEAM_REQUEST(STEAM_REQUEST_BEGIN_OPERATION, ignored, object, 0);
    return 0;
}

/* The compiler calls it where the block is left, by whatever way. */
STEAM_INLINE void steam_end_operation(char *unused)
{
    unsigned int ignored = 0;
    STEAM_REQUEST(STEAM_REQUEST_END_OPERATION, ignored, unused, 0);
}

STEAM_INLINE void steam_unshared(const volatile void *start, unsigned int size)
{
    unsigned int ignored = 0;
    STEAM_REQUEST(STEAM_REQUEST_UNSHARED, ignored, start, size);
}

STEAM_INLINE void steam_shared(const volatile void *start, unsigned int size)
{
    unsigned int ignored = 0;
    STEAM_REQUEST(STEAM_REQUEST_SHARED, ignored, start, size);
}

STEAM_INLINE void steam_atomic(const volatile void *start, unsigned int size)
{
    unsigned int ignored = 0;
    STEAM_REQUEST(STEAM_REQUEST_ATOMIC, ignored, start, size);
}

#ifdef __cplusplus
}
#endif

/* A variable of the block, whose end is the block's. */
#define STEAM_OPERATION(object) STEAM_OPERATION_IN(object, __LINE__)
#define STEAM_OPERATION_IN(object, line) STEAM_OPERATION_OF(object, line)
#define STEAM_OPERATION_OF(object, line)                                                           \
    char steam_operation_##line __attribute__((__cleanup__(steam_end_operation), __unused__)) =                      \
        steam_begin_operation(object)

#define STEAM_ATOMIC(x) steam_atomic(&(x), sizeof(x))
#define VASSERT(e) steam_assert((e) ? 1 : 0, #e)
#define VS_assert(e) VASSERT(e)
#define VLOCK(p) steam_lock(p)
#define VUNLOCK(p) steam_unlock(p)
#define VS_toss(n) ((int)steam_toss((unsigned int)(n)))
#define VTOSS(n) VS_toss(n)
/* With a semicolon of their own: the paper writes none. */
#define BEGINATOMIC steam_begin_atomic();
#define ENDATOMIC steam_end_atomic();

#endif
