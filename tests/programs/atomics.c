// steam: flags=-latomic
/* Atomic builtins and C11 stdatomic in every width, including 64 bits on a 32-bit machine. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define EXERCISE(type, name) \
    static void name(void) \
    { \
        type value = 10, expected, wanted; \
        unsigned long long seen[16]; \
        int n = 0; \
        seen[n++] = (unsigned long long)__atomic_fetch_add(&value, 5, __ATOMIC_SEQ_CST); \
        seen[n++] = (unsigned long long)__atomic_sub_fetch(&value, 3, __ATOMIC_ACQ_REL); \
        seen[n++] = (unsigned long long)__atomic_fetch_or(&value, 0x30, __ATOMIC_RELAXED); \
        seen[n++] = (unsigned long long)__atomic_and_fetch(&value, (type)~1, __ATOMIC_SEQ_CST); \
        seen[n++] = (unsigned long long)__atomic_fetch_xor(&value, 0x55, __ATOMIC_SEQ_CST); \
        seen[n++] = (unsigned long long)(type)__atomic_nand_fetch(&value, 0x0f, __ATOMIC_SEQ_CST); \
        seen[n++] = (unsigned long long)__atomic_exchange_n(&value, 77, __ATOMIC_SEQ_CST); \
        expected = 76, wanted = 1; \
        seen[n++] = __atomic_compare_exchange_n(&value, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
        seen[n++] = (unsigned long long)expected; \
        seen[n++] = __atomic_compare_exchange_n(&value, &expected, wanted, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
        __atomic_store_n(&value, (type)-9, __ATOMIC_RELEASE); \
        seen[n++] = (unsigned long long)(type)__atomic_load_n(&value, __ATOMIC_ACQUIRE); \
        seen[n++] = (unsigned long long)(type)__sync_fetch_and_add(&value, 4); \
        seen[n++] = (unsigned long long)__sync_bool_compare_and_swap(&value, (type)-5, 100); \
        seen[n++] = (unsigned long long)__sync_val_compare_and_swap(&value, 100, 101); \
        seen[n++] = (unsigned long long)__sync_add_and_fetch(&value, 9); \
        seen[n++] = (unsigned long long)__sync_lock_test_and_set(&value, 3); \
        printf(#name ":"); \
        for (int i = 0; i < n; i++) \
            printf(" %llu", seen[i]); \
        printf(" -> %lld\n", (long long)value); \
        __sync_lock_release(&value); \
    }
EXERCISE(uint8_t, eight)
EXERCISE(int16_t, sixteen)
EXERCISE(uint32_t, thirty_two)
EXERCISE(int32_t, signed_thirty_two)
EXERCISE(uint64_t, sixty_four)

struct pair {
    int32_t a, b;
};

int main(void)
{
    eight();
    sixteen();
    thirty_two();
    signed_thirty_two();
    sixty_four();

    atomic_int counter = 5;
    printf("%d %d\n", atomic_fetch_add(&counter, 10), atomic_load(&counter));
    int expected = 15;
    printf("%d\n", atomic_compare_exchange_strong(&counter, &expected, 20));
    counter += 2, counter *= 3, counter <<= 1, counter /= 5, counter++;
    printf("%d\n", counter);
    atomic_flag flag = ATOMIC_FLAG_INIT;
    printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set(&flag));

    _Atomic(struct pair) both;
    atomic_init(&both, ((struct pair){1, 2}));
    struct pair p = atomic_exchange(&both, ((struct pair){3, 4})), q = atomic_load(&both);
    printf("%d %d %d %d lock free %d\n", p.a, p.b, q.a, q.b, atomic_is_lock_free(&counter));
    _Atomic double real = 1.5;
    real += 2.25;
    printf("%g\n", (double)real);
    int array[4] = {1, 2, 3, 4};
    _Atomic(int *) pointer = array;
    int *old = atomic_exchange(&pointer, array + 2);
    pointer++;
    printf("%d %d\n", *old, *atomic_load(&pointer));
    _Atomic uint64_t big = 0xffffffffull;
    printf("%llu", (unsigned long long)atomic_fetch_add(&big, 1));
    big ^= 0x100000001ull;
    printf(" %llu\n", (unsigned long long)big);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    __sync_synchronize();
    printf("%d\n", __atomic_test_and_set(&(char){0}, __ATOMIC_SEQ_CST));
    return 0;
}
