/* Rarely compiled instructions: BCD adjustments, xlat, enter/leave, pusha, lahf, loops, flags, bound-free oddities. */
#include <stdint.h>
#include <stdio.h>

enum { CARRY = 1, PARITY = 4, ADJUST = 16, ZERO = 64, SIGN = 128, OVERFLOW_ = 2048 };

#define BCD(name, instruction) \
    static uint32_t name(uint32_t ax, uint32_t flags, uint32_t *out) \
    { \
        __asm__ volatile("push %[in]; popf; " instruction "; pushf; pop %[out]" : "+a"(ax), [out] "=&r"(*out) : [in] "r"(flags) : "cc"); \
        return ax & 0xffff; \
    }
BCD(daa, "daa")
BCD(das, "das")
BCD(aaa, "aaa")
BCD(aas, "aas")
BCD(aam, "aam")
BCD(aad, "aad")
BCD(aam7, "aam $7")
BCD(aad16, "aad $16")

static void sweep(const char *name, uint32_t (*f)(uint32_t, uint32_t, uint32_t *), uint32_t defined)
{
    uint32_t hash = 0, out;
    for (uint32_t ax = 0; ax < 65536; ax += 37)
        for (int bits = 0; bits < 4; bits++) {
            uint32_t flags = 2u | (bits & 1 ? CARRY : 0) | (bits & 2 ? ADJUST : 0);
            uint32_t result = f(ax, flags, &out);
            hash = hash * 31 + result;
            hash = hash * 31 + (out & defined);
        }
    printf("%s %08x\n", name, hash);
}

static uint32_t bcd_add(uint32_t a, uint32_t b)
{
    uint32_t result = 0, carry = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        uint8_t digit = (uint8_t)(a >> shift);
        __asm__("bt $0, %[carry]; adc %b[b], %b[a]; mov %b[a], %%al; daa; mov %%al, %b[a]; sbb %[carry], %[carry]; and $1, %[carry]"
                : [a] "+c"(digit), [carry] "+S"(carry) : [b] "d"((uint8_t)(b >> shift)) : "eax", "cc");
        result |= (uint32_t)digit << shift;
    }
    return result;
}
static uint32_t translate(const uint8_t *table, uint8_t index)
{
    uint32_t r = index;
    __asm__("xlatb" : "+a"(r) : "b"(table) : "memory");
    return r & 255;
}
static int frame(int x, int y)
{
    int r;
    __asm__ volatile("enter $16, $0; mov %[x], -4(%%ebp); mov %[y], -8(%%ebp); mov -4(%%ebp), %[r]; imul -8(%%ebp), %[r]; leave" : [r] "=&a"(r) : [x] "c"(x), [y] "d"(y) : "memory", "cc");
    return r;
}
static int nested_frame(int x)
{
    int r;
    __asm__ volatile("enter $8, $0; mov %[x], -4(%%ebp); enter $8, $2; mov -4(%%ebp), %[r]; add -8(%%ebp), %[r]; sub %%ebp, %[r]; leave; leave" : [r] "=&a"(r) : [x] "c"(x) : "memory", "cc");
    return r;
}
static uint32_t all_registers(uint32_t seed)
{
    uint32_t sum;
    __asm__ volatile("pusha; mov %1, %%eax; lea 1(%%eax), %%ebx; lea 3(%%eax), %%ecx; pusha; mov 28(%%esp), %%edx; add 16(%%esp), %%edx; add 24(%%esp), %%edx; mov %%edx, 28(%%esp); popa; mov %%eax, 28(%%esp); popa"
                     : "=a"(sum) : "0"(seed) : "memory", "cc");
    return sum;
}
static unsigned lahf(int a, int b)
{
    unsigned r;
    __asm__("cmp %2, %1; lahf; movzbl %%ah, %0" : "=a"(r) : "r"(a), "r"(b) : "cc");
    return r;
}
static unsigned sahf(unsigned flags)
{
    unsigned r;
    __asm__("mov %b1, %%ah; sahf; sbb %%eax, %%eax; neg %%eax" : "=&a"(r) : "q"(flags) : "cc");
    return r;
}
static unsigned carry_dance(void)
{
    unsigned r = 0;
    __asm__("clc; rcl $1, %0; stc; rcl $1, %0; cmc; rcl $1, %0; stc; rcl $1, %0; stc; rcr $2, %0" : "+r"(r) : : "cc");
    return r;
}
static int loops(int n)
{
    int r = 0;
    __asm__("1: inc %0; loop 1b; mov $20, %%ecx; xor %%edx, %%edx; 2: inc %%edx; cmp $7, %%edx; loopne 2b; imul $100, %%ecx; add %%ecx, %0; jecxz 3f; add $10000, %0; 3:"
            : "+a"(r), "+c"(n) : : "edx", "cc");
    return r;
}

int main(void)
{
    sweep("daa", daa, CARRY | PARITY | ADJUST | ZERO | SIGN);
    sweep("das", das, CARRY | PARITY | ADJUST | ZERO | SIGN);
    sweep("aaa", aaa, CARRY | ADJUST);
    sweep("aas", aas, CARRY | ADJUST);
    sweep("aam", aam, PARITY | ZERO | SIGN);
    sweep("aad", aad, PARITY | ZERO | SIGN);
    sweep("aam 7", aam7, PARITY | ZERO | SIGN);
    sweep("aad 16", aad16, PARITY | ZERO | SIGN);
    printf("bcd %08x %08x\n", bcd_add(0x12345678, 0x87654321), bcd_add(0x00009999, 1));
    uint8_t table[256];
    for (int i = 0; i < 256; i++)
        table[i] = (uint8_t)(i * 167 + 13);
    printf("xlat %u %u %u\n", translate(table, 0), translate(table, 100), translate(table, 255));
    printf("enter %d %d\n", frame(123, -45), nested_frame(777));
    printf("pusha %u\n", all_registers(1000));
    printf("lahf %02x %02x %02x %02x\n", lahf(5, 5) & 0xd5, lahf(1, 2) & 0xd5, lahf(2, 1) & 0xd5, lahf(-2147483647 - 1, 1) & 0xd5);
    printf("sahf %u %u\n", sahf(0xd5), sahf(0xd4));
    printf("rcl %08x\n", carry_dance());
    printf("loop %d\n", loops(13));
    uint32_t sign, low;
    __asm__("cltd" : "=d"(sign), "=a"(low) : "1"(-5));
    int16_t half = -300;
    int32_t wide;
    __asm__("cwtl" : "=a"(wide) : "0"((int)(uint16_t)half));
    printf("%08x %d\n", sign, wide);
    uint8_t bit;
    __asm__("mov $0xff, %%al; add $1, %%al; setc %0" : "=q"(bit) : : "eax", "cc");
    printf("setc %u\n", bit);
    return 0;
}
