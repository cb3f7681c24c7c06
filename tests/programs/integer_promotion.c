/* Promotions and conversions that C programmers trip over, and narrow arithmetic in all widths. */
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SHOW(expression) printf("%-44s %lld\n", #expression, (long long)(expression))

static int8_t wrap8(int8_t a, int8_t b) { return (int8_t)(a * b); }
static uint8_t uwrap8(uint8_t a, uint8_t b) { return (uint8_t)(a + b); }
static int16_t wrap16(int16_t a, int16_t b) { return (int16_t)(a * b - b); }
static uint16_t rotate16(uint16_t v, int n) { return (uint16_t)(v << n | v >> (16 - n)); }
static uint8_t rotate8(uint8_t v, int n) { return (uint8_t)(v << n | v >> (8 - n)); }
static int8_t divide8(int8_t a, int8_t b) { return (int8_t)(a / b); }
static int8_t modulo8(int8_t a, int8_t b) { return (int8_t)(a % b); }
static uint8_t udivide8(uint8_t a, uint8_t b) { return a / b; }
static int16_t divide16(int16_t a, int16_t b) { return (int16_t)(a / b); }

int main(void)
{
    volatile signed char sc = -1;
    volatile unsigned char uc = 255;
    volatile short s = -32768;
    volatile unsigned short us = 65535;
    volatile int i = -1;
    volatile unsigned u = 1;
    volatile long long ll = -1;
    volatile char c = '\xff';

    SHOW(sc == uc);
    SHOW(sc + uc);
    SHOW(i < u);
    SHOW(ll < u);
    SHOW(s * s);
    SHOW((unsigned)us * us);
    SHOW(-s);
    SHOW((short)-s);
    SHOW(~uc);
    SHOW((unsigned char)~uc);
    SHOW((int)((unsigned)uc << 24) >> 24);
    SHOW((uc << 8) >> 4);
    SHOW(c == 0xff);
    SHOW((unsigned char)c == 0xff);
    SHOW(sizeof(sc + sc));
    SHOW(sizeof('a'));
    SHOW((int)3000000000u);
    SHOW((long long)(int)0x80000000);
    SHOW((long long)0x80000000u);
    SHOW((unsigned long long)i >> 60);
    SHOW((bool)0x100);
    SHOW((bool)0.25);
    SHOW((int)-2.99);
    SHOW((unsigned char)300.5);
    SHOW((signed char)0x80);
    SHOW(-7 / 2);
    SHOW(-7 % 2);
    SHOW(7 % -2);
    SHOW(-7 >> 1);
    SHOW(i > sizeof(int));
    SHOW(u - 2 > 0);
    SHOW((u ? i : u) > 0);

    unsigned sum = 0;
    for (int a = -128; a < 128; a++)
        for (int b = -128; b < 128; b++) {
            sum = sum * 31 + (unsigned)wrap8((int8_t)a, (int8_t)b);
            sum = sum * 31 + uwrap8((uint8_t)a, (uint8_t)b);
            sum = sum * 31 + (unsigned)wrap16((int16_t)(a * 250), (int16_t)(b * 99));
            if (b != 0) {
                sum = sum * 31 + (unsigned)divide8((int8_t)a, (int8_t)b);
                sum = sum * 31 + (unsigned)modulo8((int8_t)a, (int8_t)b);
                sum = sum * 31 + udivide8((uint8_t)a, (uint8_t)b);
                sum = sum * 31 + (unsigned)divide16((int16_t)(a * 255), (int16_t)b);
            }
        }
    printf("sum %08x\n", sum);
    for (int n = 1; n < 8; n++)
        printf("%02x %04x ", rotate8(0xb1, n), rotate16(0xb123, n * 2));
    putchar('\n');
    uint8_t counter = 250;
    for (int n = 0; n < 10; n++)
        printf("%u ", counter++);
    int8_t falling = -125;
    for (int n = 0; n < 6; n++)
        printf("%d ", falling--);
    putchar('\n');
    return 0;
}
