/* Arbitrary precision: factorials, Fibonacci, powers, division, square roots, and digits of pi. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMBS 160
typedef struct {
    int size;
    uint32_t limb[LIMBS];
} big;

static big from(uint32_t value)
{
    big b = {value != 0, {value}};
    return b;
}
static void trim(big *b)
{
    while (b->size && b->limb[b->size - 1] == 0)
        b->size--;
}
static int compare(const big *a, const big *b)
{
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    for (int i = a->size; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}
static big add(const big *a, const big *b)
{
    big r = {0};
    uint64_t carry = 0;
    int n = a->size > b->size ? a->size : b->size;
    for (int i = 0; i < n || carry; i++) {
        carry += (i < a->size ? a->limb[i] : 0ull) + (i < b->size ? b->limb[i] : 0ull);
        r.limb[r.size++] = (uint32_t)carry;
        carry >>= 32;
    }
    return r;
}
static big subtract(const big *a, const big *b)
{
    big r = *a;
    int64_t borrow = 0;
    for (int i = 0; i < a->size; i++) {
        int64_t d = (int64_t)a->limb[i] - (i < b->size ? b->limb[i] : 0) + borrow;
        r.limb[i] = (uint32_t)d;
        borrow = d >> 32;
    }
    trim(&r);
    return r;
}
static big multiply(const big *a, const big *b)
{
    big r = {0};
    r.size = a->size + b->size;
    for (int i = 0; i < a->size; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->size; j++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + r.limb[i + j];
            r.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        r.limb[i + b->size] = (uint32_t)carry;
    }
    trim(&r);
    return r;
}
static uint32_t divide_small(big *a, uint32_t d)
{
    uint64_t rest = 0;
    for (int i = a->size; i-- > 0;) {
        rest = rest << 32 | a->limb[i];
        a->limb[i] = (uint32_t)(rest / d);
        rest %= d;
    }
    trim(a);
    return (uint32_t)rest;
}
static void shift_one(big *a, unsigned in)
{
    for (int i = 0; i < a->size; i++) {
        unsigned out = a->limb[i] >> 31;
        a->limb[i] = a->limb[i] << 1 | in;
        in = out;
    }
    if (in)
        a->limb[a->size++] = in;
}
static big divide(const big *a, const big *b, big *rest)
{
    big q = {0}, r = {0};
    q.size = a->size;
    for (int bit = a->size * 32; bit-- > 0;) {
        shift_one(&r, a->limb[bit / 32] >> (bit % 32) & 1);
        if (r.size == 0 && (a->limb[bit / 32] >> (bit % 32) & 1))
            r = from(1);
        if (compare(&r, b) >= 0) {
            r = subtract(&r, b);
            q.limb[bit / 32] |= 1u << (bit % 32);
        }
    }
    trim(&q);
    *rest = r;
    return q;
}
static void print(const char *label, big b)
{
    char digits[LIMBS * 10];
    int n = 0;
    do {
        uint32_t part = divide_small(&b, 1000000000);
        for (int i = 0; i < 9 && (b.size || part); i++, part /= 10)
            digits[n++] = (char)('0' + part % 10);
    } while (b.size);
    printf("%s = ", label);
    if (!n)
        digits[n++] = '0';
    while (n)
        putchar(digits[--n]);
    putchar('\n');
}
static big power(uint32_t base, unsigned exponent)
{
    big r = from(1), b = from(base);
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            r = multiply(&r, &b);
        b = multiply(&b, &b);
    }
    return r;
}
static big square_root(const big *n)
{
    big x = *n, rest, one = from(1);
    x.size = n->size / 2 + 1;
    for (int i = 0; i < x.size; i++)
        x.limb[i] = ~0u;
    for (;;) {
        big q = divide(n, &x, &rest), y = add(&x, &q);
        divide_small(&y, 2);
        if (compare(&y, &x) >= 0)
            return x;
        x = y;
    }
    return one;
}
static void pi_digits(int wanted)
{
    int n = wanted * 10 / 3 + 1, *a = malloc(sizeof(int) * (size_t)n), nines = 0, held = 0, first = 1;
    for (int i = 0; i < n; i++)
        a[i] = 2;
    for (int k = 0; k < wanted; k++) {
        int carry = 0;
        for (int i = n; i-- > 0;) {
            int x = 10 * a[i] + carry * (i + 1);
            a[i] = x % (2 * i + 1);
            carry = x / (2 * i + 1);
        }
        a[0] = carry % 10;
        carry /= 10;
        if (carry == 9) {
            nines++;
            continue;
        }
        if (!first)
            putchar('0' + held + carry / 10);
        for (; nines; nines--)
            putchar(carry == 10 ? '0' : '9');
        held = carry % 10;
        first = 0;
    }
    putchar('\n');
    free(a);
}

int main(void)
{
    big factorial = from(1), a = from(0), b = from(1), rest;
    for (uint32_t i = 2; i <= 60; i++) {
        big k = from(i);
        factorial = multiply(&factorial, &k);
    }
    print("60!", factorial);
    for (int i = 0; i < 300; i++) {
        big c = add(&a, &b);
        a = b, b = c;
    }
    print("F(300)", a);
    big p = power(3, 200), q = power(7, 50), quotient = divide(&p, &q, &rest);
    print("3^200", p);
    print("3^200 / 7^50", quotient);
    print("rest", rest);
    big check = multiply(&quotient, &q);
    check = add(&check, &rest);
    printf("checks: %d\n", compare(&check, &p) == 0);
    big two = power(10, 60);
    divide_small(&two, 5);
    two = multiply(&two, &(big){1, {10}});
    print("sqrt(2)*10^30", square_root(&two));
    big mersenne = power(2, 521), one = from(1);
    print("2^521-1", subtract(&mersenne, &one));
    pi_digits(120);
    return 0;
}
