/* String instructions in inline assembly: movs, stos, lods, scas, cmps with rep prefixes, widths and both directions. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define STRING_OP(name, instruction) \
    static void name(void **to, const void **from, unsigned *count) \
    { \
        __asm__ volatile(instruction : "+D"(*to), "+S"(*from), "+c"(*count) : : "memory", "cc"); \
    }
STRING_OP(move_bytes, "rep movsb")
STRING_OP(move_words, "rep movsw")
STRING_OP(move_longs, "rep movsl")
STRING_OP(move_bytes_down, "std; rep movsb; cld")
STRING_OP(move_longs_down, "std; rep movsl; cld")
STRING_OP(compare_bytes, "repe cmpsb")
STRING_OP(compare_longs, "repe cmpsl")
STRING_OP(differ_bytes, "repne cmpsb")

static unsigned fill(void *to, unsigned value, unsigned count, int width)
{
    void *end = to;
    if (width == 1)
        __asm__ volatile("rep stosb" : "+D"(end), "+c"(count) : "a"(value) : "memory");
    else if (width == 2)
        __asm__ volatile("rep stosw" : "+D"(end), "+c"(count) : "a"(value) : "memory");
    else
        __asm__ volatile("rep stosl" : "+D"(end), "+c"(count) : "a"(value) : "memory");
    return (unsigned)((char *)end - (char *)to) + count;
}
static unsigned length(const char *text)
{
    unsigned count = ~0u;
    __asm__("repne scasb" : "+D"(text), "+c"(count) : "a"(0) : "memory", "cc");
    return ~count - 1;
}
static unsigned find_long(const uint32_t *array, uint32_t value, unsigned count, int *found)
{
    unsigned left = count;
    unsigned char zero;
    __asm__("cmp %%esi, %%esi; repne scasl; sete %b2" : "+D"(array), "+c"(left), "=q"(zero) : "a"(value) : "memory", "cc");
    *found = zero;
    return count - left;
}
static unsigned skip_equal(const uint16_t *array, uint16_t value, unsigned count)
{
    unsigned left = count;
    __asm__("repe scasw" : "+D"(array), "+c"(left) : "a"(value) : "memory", "cc");
    return count - left;
}
static uint32_t sum_bytes(const unsigned char *bytes, unsigned count)
{
    uint32_t sum = 0;
    __asm__("1: xor %%eax, %%eax; lodsb; rol $5, %[sum]; xor %%eax, %[sum]; loop 1b" : "+S"(bytes), "+c"(count), [sum] "+r"(sum) : : "eax", "memory", "cc");
    return sum;
}
static uint32_t sum_longs(const uint32_t *values, unsigned count)
{
    uint32_t sum = 0;
    __asm__("1: lodsl; add %%eax, %[sum]; dec %%ecx; jnz 1b" : "+S"(values), "+c"(count), [sum] "+r"(sum) : : "eax", "memory", "cc");
    return sum;
}

static void show(const char *label, void *to, char *base_to, const void *from, const char *base_from, unsigned count)
{
    printf("%s: to%+d from%+d left %u\n", label, (int)((char *)to - base_to), (int)((const char *)from - base_from), count);
}

int main(void)
{
    static char source[64], target[64];
    for (int i = 0; i < 64; i++)
        source[i] = (char)('A' + i % 50);
    void *to = target;
    const void *from = source;
    unsigned count = 10;
    move_bytes(&to, &from, &count);
    show("movsb", to, target, from, source, count);
    count = 5, move_words(&to, &from, &count);
    show("movsw", to, target, from, source, count);
    count = 4, move_longs(&to, &from, &count);
    show("movsl", to, target, from, source, count);
    count = 0, move_longs(&to, &from, &count);
    printf("%.40s\n", target);

    /* An overlapping copy upwards repeats its start; downwards it is a proper move. */
    strcpy(target, "0123456789");
    to = target + 3, from = target, count = 9;
    move_bytes(&to, &from, &count);
    printf("%.14s\n", target);
    memcpy(target, "0123456789", 11);
    to = target + 13, from = target + 10, count = 11;
    move_bytes_down(&to, &from, &count);
    show("down", to, target, from, target, count);
    printf("%s\n", target + 3);
    to = target + 40, from = source + 20, count = 3;
    move_longs_down(&to, &from, &count);
    printf("%.12s\n", target + 32);

    memcpy(target, source, 30);
    target[17] = '!';
    to = target, from = source, count = 30;
    compare_bytes(&to, &from, &count);
    show("cmpsb", to, target, from, source, count);
    to = target, from = source, count = 7;
    compare_longs(&to, &from, &count);
    show("cmpsl", to, target, from, source, count);
    fill(target, '.', 20, 1);
    target[9] = source[9];
    to = target, from = source, count = 20;
    differ_bytes(&to, &from, &count);
    show("repne cmpsb", to, target, from, source, count);

    uint16_t words[16];
    uint32_t longs[16];
    printf("%u %u\n", fill(words, 0x4142, 16, 2), fill(longs, 0xdeadbeef, 16, 4));
    words[11] = 7, longs[5] = 99;
    int found, missing;
    unsigned where = find_long(longs, 99, 16, &found), end = find_long(longs, 98, 16, &missing);
    printf("%u %d %u %d %u\n", where, found, end, missing, skip_equal(words, 0x4142, 16));
    printf("%u %u\n", length(""), length("a somewhat longer text"));
    printf("%08x %08x\n", sum_bytes((unsigned char *)source, 64), sum_longs(longs, 16));
    return 0;
}
