#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct point { int x, y; } point;
typedef unsigned char byte_t;
typedef int (*operation)(int, int);
enum color { RED, GREEN = 5, BLUE };
enum level { LOW = -3, HIGH = 7 };
struct flags {
    unsigned ready : 1;
    unsigned mode : 3;
    int signed_field : 5;
    unsigned wide : 32;
    unsigned long long huge : 40;
    signed long long signed_huge : 33;
    _Bool truth : 1;
    enum color paint : 3;
};
union number { int i; unsigned u; float f; unsigned char bytes[4]; };
struct node { int value; struct node *next; struct { short inner; union { int a; char b; }; }; point at[2]; };
struct opaque;

signed char sc = -100; unsigned char uc = 200; char ch = 'q';
short sh = -30000; unsigned short us = 60000;
int i = -7, j = 3, zero = 0; unsigned u = 4000000000u;
long l = -2147483647; unsigned long ul = 4294967295ul;
long long ll = -9000000000000000000ll; unsigned long long ull = 18000000000000000000ull;
float f = 1.5f, third = 0.3333333f; double d = -2.25, tenth = 0.1; long double ld = 6.5L;
_Bool yes = 1, no = 0;
enum color c = GREEN; enum level lv = LOW;
point p = { 11, -22 }; const volatile point cp = { 5, 6 };
struct flags fl = { 1, 5, -9, 4000000000u, 800000000000ull, -4000000000ll, 1, BLUE };
union number un = { .u = 0xdeadbeefu };
point array[4] = { { 1, 2 }, { 3, 4 }, { 5, 6 }, { 7, 8 } };
int grid[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
struct node second = { 2, 0, { -4, { 77 } }, { { 1, 2 }, { 3, 4 } } };
struct node first = { 1, &second, { 9, { 88 } }, { { 5, 6 }, { 7, 8 } } };
struct node *head = &first; struct node **head_address = &head;
int *pi = &grid[1][2]; void *pv = &array[2]; char text[16] = "hello"; const char *literal = "world";
byte_t bytes[5] = { 1, 2, 3, 250, 255 };
_Atomic int atomic = 42;
static volatile int hidden = 1234;
struct opaque *unknown = (struct opaque *)&p;
static int add(int a, int b) { return a + b; }
operation op = add; operation ops[2] = { add, 0 };
int8_t i8 = -1; uint64_t u64 = 1ull << 63;

static void show_s(long long v) { printf("%lld\n", v); }
static void show_u(unsigned long long v) { printf("%llu\n", v); }
static void show_d(double v) { printf("%.17g\n", v); }
static void show_p(const volatile void *v) { printf("%u\n", (unsigned)v); }
#define E(e) (printf("%u ", (unsigned)sizeof((e) + 0)), _Generic((e) + 0, \
    int: show_s, long: show_s, long long: show_s, \
    unsigned: show_u, unsigned long: show_u, unsigned long long: show_u, \
    float: show_d, double: show_d, long double: show_d, default: show_p)((e) + 0))
int main(void) {
#include "expressions.inc"
    return hidden == 5;
}
