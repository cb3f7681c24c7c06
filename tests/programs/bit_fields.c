/* Bit-fields: packing, signedness, promotion, unions with raw words, unnamed and zero widths. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct date {
    unsigned day : 5;
    unsigned month : 4;
    unsigned year : 23;
};
struct mixed {
    signed a : 3;
    unsigned b : 3;
    signed c : 10;
    unsigned : 4;
    unsigned d : 12;
    unsigned : 0;
    unsigned e : 1;
    signed f : 1;
};
struct wide {
    uint64_t low : 20;
    uint64_t middle : 37;
    int64_t high : 7;
};
struct __attribute__((packed)) dense {
    uint8_t kind : 4;
    uint16_t length : 11;
    uint32_t body : 29;
    uint8_t tail : 4;
};
union float_bits {
    float value;
    struct {
        uint32_t mantissa : 23;
        uint32_t exponent : 8;
        uint32_t sign : 1;
    } part;
};

static void raw(const char *name, const void *bytes, size_t size)
{
    printf("%s:", name);
    for (size_t i = 0; i < size; i++)
        printf(" %02x", ((const unsigned char *)bytes)[i]);
    putchar('\n');
}

static struct date next_day(struct date d)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned last = days[d.month - 1];
    if (d.month == 2 && (d.year % 4 == 0 && (d.year % 100 != 0 || d.year % 400 == 0)))
        last++;
    if (++d.day > last) {
        d.day = 1;
        if (++d.month > 12) {
            d.month = 1;
            d.year++;
        }
    }
    return d;
}

int main(void)
{
    printf("%zu %zu %zu %zu\n", sizeof(struct date), sizeof(struct mixed), sizeof(struct wide), sizeof(struct dense));
    struct date d = {27, 2, 2024};
    for (int i = 0; i < 4; i++, d = next_day(d))
        printf("%u-%02u-%02u ", d.year, d.month, d.day);
    d = (struct date){31, 12, 1999};
    d = next_day(d);
    printf("%u-%02u-%02u\n", d.year, d.month, d.day);

    struct mixed m;
    memset(&m, 0, sizeof m);
    for (int i = -6; i < 10; i++) {
        m.a = i;
        m.b = i;
        m.c = i * 100;
        m.d = i * 1000;
        m.e = i;
        m.f = i;
        printf("%d/%u/%d/%u/%u/%d ", m.a, m.b, m.c, m.d, m.e, m.f);
    }
    putchar('\n');
    raw("mixed", &m, sizeof m);
    m.a += 5, m.b -= 6, m.c *= 3, m.d ^= 0xfff, m.e ^= 1;
    m.b++, m.b++, m.a--;
    raw("mixed", &m, sizeof m);
    printf("promotion: %d %d\n", m.b - 8 < 0, (m.a < 0) ^ (m.c < 0));

    struct wide w = {0};
    w.low = 0xfffff;
    w.middle = 0x1234567890ull;
    w.high = -3;
    w.low++;
    w.middle = w.middle * 3 + w.high;
    raw("wide", &w, sizeof w);
    printf("%u %llu %d\n", (unsigned)w.low, (unsigned long long)w.middle, (int)w.high);

    struct dense p;
    memset(&p, 0xff, sizeof p);
    p.kind = 5, p.length = 0x2aa, p.body = 0x0abcdef1, p.tail = 9;
    raw("dense", &p, sizeof p);
    printf("%u %u %u %u\n", p.kind, p.length, p.body, p.tail);

    union float_bits f = {.value = -118.625f};
    printf("%u %u %06x\n", f.part.sign, f.part.exponent, f.part.mantissa);
    f.part.exponent++;
    f.part.sign = 0;
    printf("%g\n", f.value);
    return 0;
}
