// steam: flags=-lm
/* x87 instructions by hand: loads of all kinds, constants, fprem, fscale, fxam, fcomi, packed BCD, control word, environment. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CONSTANT(name) \
    { \
        long double value; \
        __asm__(#name : "=t"(value)); \
        printf(#name " %La\n", value); \
    }
#define UNARY(name, x) \
    { \
        long double value = x; \
        __asm__(#name : "+t"(value)); \
        printf(#name "(%Lg) = %La\n", (long double)x, value); \
    }

static unsigned status(void)
{
    uint16_t word;
    __asm__ volatile("fnstsw %0" : "=am"(word));
    return word;
}
static unsigned examine(long double x)
{
    uint16_t word;
    __asm__("fxam; fnstsw %0" : "=a"(word) : "t"(x));
    return (word & 0x4700u) >> 8;
}
static unsigned compare(long double a, long double b)
{
    unsigned char below, zero, parity;
    __asm__("fucomip %4, %3; setb %0; setz %1; setp %2" : "=q"(below), "=q"(zero), "=q"(parity) : "t"(a), "u"(b) : "st", "cc");
    return below | zero << 1 | parity << 2;
}
static unsigned control(unsigned word)
{
    uint16_t old, new = (uint16_t)word;
    __asm__ volatile("fnstcw %0; fldcw %1" : "=m"(old) : "m"(new));
    return old;
}
static long double remainder_of(long double x, long double y)
{
    __asm__("1: fprem; fnstsw %%ax; testb $4, %%ah; jnz 1b" : "+t"(x) : "u"(y) : "ax", "cc");
    return x;
}

int main(void)
{
    CONSTANT(fld1)
    CONSTANT(fldz)
    CONSTANT(fldpi)
    CONSTANT(fldl2e)
    CONSTANT(fldl2t)
    CONSTANT(fldlg2)
    CONSTANT(fldln2)
    UNARY(fabs, -2.5L)
    UNARY(fchs, 2.5L)
    UNARY(fsqrt, 2.0L)
    UNARY(frndint, 2.5L)
    UNARY(frndint, -3.5L)
    UNARY(f2xm1, 0.5L)
    UNARY(fsin, 0.5L)
    UNARY(fcos, 0.5L)

    long double power, value = 3.0L, scale = 5.0L, mantissa, exponent;
    __asm__("fscale" : "=t"(power) : "0"(value), "u"(scale));
    __asm__("fxtract" : "=t"(mantissa), "=u"(exponent) : "0"(100.0L));
    printf("fscale %La fxtract %La %La\n", power, mantissa, exponent);
    long double log, angle;
    __asm__("fyl2x" : "=t"(log) : "0"(10.0L), "u"(1.0L) : "st(1)");
    __asm__("fpatan" : "=t"(angle) : "0"(2.0L), "u"(1.0L) : "st(1)");
    printf("fyl2x %La fpatan %La\n", log, angle);
    long double sine, cosine, tangent, one;
    __asm__("fsincos" : "=t"(cosine), "=u"(sine) : "0"(1.25L));
    __asm__("fptan" : "=t"(one), "=u"(tangent) : "0"(1.25L));
    printf("fsincos %La %La fptan %La %La\n", sine, cosine, tangent, one);
    printf("fprem %La %La\n", remainder_of(1e30L, 7.25L), remainder_of(-17.0L, 5.0L));

    printf("fxam %x %x %x %x %x %x\n", examine(1.0L), examine(-1.0L), examine(0.0L), examine(INFINITY), examine(NAN) & 0x45, examine(1e-4940L));
    printf("fucomi %u %u %u %u\n", compare(1, 2), compare(2, 2), compare(3, 2), compare(NAN, 2));

    int16_t i16;
    int32_t i32 = -123456789, back32;
    int64_t i64 = 0x7ffffffffffffff1ll, back64;
    unsigned char bcd[10];
    __asm__("fildl %1; fistpl %0" : "=m"(back32) : "m"(i32));
    __asm__("fildll %1; fistpll %0" : "=m"(back64) : "m"(i64));
    __asm__("fistps %0" : "=m"(i16) : "t"(-1234.5L) : "st");
    printf("%d %lld %d\n", back32, (long long)back64, i16);
    __asm__("fbstp %0" : "=m"(bcd) : "t"(-123456789012345678.0L) : "st");
    for (int i = 9; i >= 0; i--)
        printf("%02x", bcd[i]);
    long double unpacked;
    __asm__("fbld %1" : "=t"(unpacked) : "m"(bcd));
    printf(" %.0Lf\n", unpacked);

    unsigned old = control(0x0c7f);
    volatile double third = 1.0;
    double chopped;
    __asm__("fldl %1; fdivs %2; fstpl %0" : "=m"(chopped) : "m"(third), "m"((float){-3.0f}));
    control(0x007f);
    long double narrow;
    __asm__("fld1; fdivs %1" : "=t"(narrow) : "m"((float){3.0f}));
    control(old);
    printf("control %04x chopped %a single %La\n", old, chopped, narrow);

    __asm__ volatile("fnclex");
    volatile double zero = 0, result = 1.0 / zero;
    __asm__ volatile("fldl %1; fdivl %2; fstpl %0" : "=m"(result) : "m"(third), "m"(zero));
    printf("status %02x", status() & 0x3f);
    __asm__ volatile("fnclex");
    printf(" cleared %02x\n", status() & 0x3f);

    unsigned char environment[28];
    unsigned char image[108];
    uint16_t top;
    __asm__ volatile("fninit; fld1; fldpi; fldz; fnstenv %0; fnsave %1; frstor %1; fnstsw %2; fninit" : "=m"(environment), "=m"(image), "=m"(top) : : "st", "st(1)", "st(2)");
    printf("tags %02x%02x top %u saved", environment[9], environment[8], top >> 11 & 7);
    long double saved[3];
    for (int i = 0; i < 3; i++) {
        saved[i] = 0;
        memcpy(&saved[i], image + 28 + 10 * i, 10);
        printf(" %Lg", saved[i]);
    }
    putchar('\n');
    double a = 1.5, b = 2.5, c;
    __asm__("fldl %1; fldl %2; fxch; fsubrp; fmull %1; fiadds %3; fstpl %0" : "=m"(c) : "m"(a), "m"(b), "m"((int16_t){10}));
    printf("%g\n", c);
    return 0;
}
