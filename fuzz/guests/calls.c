/* Makes the system calls of a table, one after the other, without a library. The table is filled in the
   file; an argument is a value, a place in a buffer, a small number, or what an earlier call returned. */
#include <stdint.h>
#define ROOM 24
struct call { uint16_t number; struct { uint8_t kind; uint32_t value; } __attribute__((packed)) arguments[6]; }
    __attribute__((packed));
struct call calls[ROOM] = { { 0xfeed, { { 1, 0x12345678 }, { 2, 0x9abcdef0 }, { 3, 0x0f1e2d3c } } } };
static uint32_t results[ROOM];
static char buffer[8192] = "/\0.\0/dev/null\0/tmp\0/proc/self/maps\0/nowhere/file\0name\0";
static uint32_t argument(int call, int position)
{
    uint32_t value = calls[call].arguments[position].value;
    switch (calls[call].arguments[position].kind % 4) {
    case 0: return value;
    case 1: return (uint32_t)buffer + value % (sizeof buffer + 16);
    case 2: return value & 0xff;
    default: return call ? results[value % call] : 3;
    }
}
static uint32_t make(uint32_t number, uint32_t *a)
{
    uint32_t result;
    __asm__ volatile("push %%ebp\n\tpush %%ebx\n\tmov 0(%[a]), %%ebx\n\tmov 4(%[a]), %%ecx\n\t"
                     "mov 8(%[a]), %%edx\n\tmov 12(%[a]), %%esi\n\tmov 20(%[a]), %%ebp\n\t"
                     "mov 16(%[a]), %%edi\n\tint $0x80\n\tpop %%ebx\n\tpop %%ebp"
                     : "=a"(result)
                     : "0"(number), [a] "D"(a)
                     : "ecx", "edx", "esi", "memory", "cc");
    return result;
}
void _start(void)
{
    for (int call = 0; call < ROOM; call++) {
        uint32_t a[6];
        for (int position = 0; position < 6; position++)
            a[position] = argument(call, position);
        results[call] = make(calls[call].number % 470, a);
    }
    uint32_t status[6] = { 7 };
    for (;;)
        make(1, status);
}
