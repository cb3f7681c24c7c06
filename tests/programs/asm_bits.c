/* Bit and double-width instructions: bsf bsr bt bts btr btc shld shrd rcl rcr xadd cmpxchg cmpxchg8b bswap cmov setcc. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash;
static void mix(uint32_t v) { hash = (hash << 7 | hash >> 25) * 2654435761u + v; }

static uint32_t seed = 2463534242u;
static uint32_t next(void)
{
    seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
    return seed;
}

#define SHIFT2(name, instruction) \
    static uint32_t name(uint32_t a, uint32_t b, uint8_t n, unsigned char *carry) \
    { \
        __asm__(instruction " %%cl, %[b], %[a]; setc %[c]" : [a] "+r"(a), [c] "=q"(*carry) : [b] "r"(b), "c"(n) : "cc"); \
        return a; \
    }
SHIFT2(shld, "shld")
SHIFT2(shrd, "shrd")

#define ROTATE(name, instruction, type) \
    static type name(type a, uint8_t n, unsigned char *carry) \
    { \
        __asm__("bt $0, %k[a]; " instruction " %%cl, %[a]; setc %[c]" : [a] "+q"(a), [c] "=&q"(*carry) : "c"(n) : "cc"); \
        return a; \
    }
ROTATE(rcl32, "rcll", uint32_t)
ROTATE(rcr32, "rcrl", uint32_t)
ROTATE(rol32, "roll", uint32_t)
ROTATE(ror16, "rorw", uint16_t)
ROTATE(rcl8, "rclb", uint8_t)
ROTATE(rcr16, "rcrw", uint16_t)

static void scan(uint32_t v)
{
    uint32_t low, high;
    unsigned char empty_low, empty_high;
    __asm__("bsf %2, %0; setz %1" : "=r"(low), "=q"(empty_low) : "r"(v), "0"(77) : "cc");
    __asm__("bsr %2, %0; setz %1" : "=r"(high), "=q"(empty_high) : "r"(v), "0"(77) : "cc");
    mix(empty_low), mix(empty_high);
    if (v)
        mix(low), mix(high);
}
static void tests(uint32_t *words, int32_t index)
{
    unsigned char a, b, c, d;
    __asm__("btl %[i], %[w]; setc %[r]" : [r] "=q"(a) : [i] "r"(index & 31), [w] "r"(words[0]) : "cc");
    __asm__("btsl %[i], %[w]; setc %[r]" : [r] "=q"(b), [w] "+m"(words[0]), "+m"(*(uint32_t(*)[8])words) : [i] "r"(index) : "cc");
    __asm__("btrl %[i], %[w]; setc %[r]" : [r] "=q"(c), [w] "+m"(words[0]), "+m"(*(uint32_t(*)[8])words) : [i] "r"(index ^ 5) : "cc");
    __asm__("lock btcl %[i], %[w]; setc %[r]" : [r] "=q"(d), [w] "+m"(words[0]), "+m"(*(uint32_t(*)[8])words) : [i] "r"(index ^ 9) : "cc");
    mix(a | b << 1 | c << 2 | d << 3);
}
static int exchange8(uint64_t *place, uint64_t *expected, uint64_t wanted)
{
    uint32_t low = (uint32_t)*expected, high = (uint32_t)(*expected >> 32);
    unsigned char done;
    __asm__("lock cmpxchg8b %[p]; setz %[d]" : [p] "+m"(*place), [d] "=q"(done), "+a"(low), "+d"(high) : "b"((uint32_t)wanted), "c"((uint32_t)(wanted >> 32)) : "cc", "memory");
    *expected = (uint64_t)high << 32 | low;
    return done;
}
static uint32_t exchange(uint32_t *place, uint32_t expected, uint32_t wanted, unsigned char *done)
{
    __asm__("lock cmpxchg %[w], %[p]; setz %[d]" : [p] "+m"(*place), "+a"(expected), [d] "=q"(*done) : [w] "r"(wanted) : "cc");
    return expected;
}

int main(void)
{
    unsigned char carry;
    uint32_t words[8] = {0};
    for (int i = 0; i < 20000; i++) {
        uint32_t a = next(), b = next();
        uint8_t n = (uint8_t)(b % 31 + 1);
        mix(shld(a, b, n, &carry)), mix(carry);
        mix(shrd(a, b, n, &carry)), mix(carry);
        mix(rcl32(a, n, &carry)), mix(carry);
        mix(rcr32(a, n, &carry)), mix(carry);
        mix(rol32(a, n, &carry)), mix(carry);
        mix(ror16((uint16_t)a, (uint8_t)(n | 1), &carry)), mix(carry);
        mix(rcl8((uint8_t)a, n, &carry)), mix(carry);
        mix(rcr16((uint16_t)a, n, &carry)), mix(carry);
        scan(a >> n);
        tests(words, (int32_t)(b & 255));
        uint32_t swapped = a;
        __asm__("bswap %0" : "+r"(swapped));
        mix(swapped);
        uint32_t kept = a, chosen = b;
        __asm__("cmp %1, %0; cmovl %1, %0; cmovo %1, %0" : "+r"(kept) : "r"(chosen) : "cc");
        mix(kept);
    }
    scan(0);
    printf("hash %08x, words", hash);
    for (int i = 0; i < 8; i++)
        printf(" %08x", words[i]);
    putchar('\n');

    uint32_t counter = 100, add = 5;
    __asm__("lock xadd %0, %1" : "+r"(add), "+m"(counter) : : "cc");
    printf("xadd %u %u\n", add, counter);
    uint8_t small = 250, addend = 10;
    __asm__("xaddb %0, %1" : "+q"(addend), "+q"(small) : : "cc");
    printf("xaddb %u %u\n", addend, small);
    uint32_t place = 7, seen = exchange(&place, 7, 9, &carry);
    printf("cmpxchg %u %u %u", seen, place, carry);
    seen = exchange(&place, 7, 11, &carry);
    printf(" then %u %u %u\n", seen, place, carry);
    uint64_t eight = 0x1122334455667788ull, expected = eight;
    printf("cmpxchg8b %d", exchange8(&eight, &expected, 0xaabbccddeeff0011ull));
    expected = 1;
    printf(" %d %016llx %d\n", exchange8(&eight, &expected, 5), (unsigned long long)eight, expected == eight);
    uint32_t x = 1, y = 2;
    __asm__("xchg %0, %1" : "+r"(x), "+m"(y));
    printf("xchg %u %u\n", x, y);
    uint32_t high, low;
    __asm__("mull %3" : "=a"(low), "=d"(high) : "0"(0xfedcba98u), "r"(0x89abcdefu) : "cc");
    printf("mul %08x%08x", high, low);
    __asm__("divl %4" : "=a"(low), "=d"(high) : "0"(low), "1"(high), "r"(0xfedcba99u) : "cc");
    printf(" div %08x %08x", low, high);
    int32_t product;
    __asm__("imull $-1000, %1, %0; seto %2" : "=&r"(product), "+r"(x), "=q"(carry) : : "cc");
    printf(" imul %d %u\n", product, carry);
    return 0;
}
