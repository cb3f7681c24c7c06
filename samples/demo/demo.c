/* The program that `steam demo` runs: no libc, no start-up files, only system calls by int $0x80.
 * It is compiled once (`cargo run -p xtask -- demo-elf`) and embedded in the binary, so that the
 * demo needs no compiler. Without an argument it computes a few things and ends with 0; the
 * argument "overflow" or "null" makes it do the wrong thing of that name. */

typedef unsigned int u32;
typedef unsigned long long u64;

enum { SYS_EXIT = 1, SYS_WRITE = 4, SYS_BRK = 45 };

static u32 system_call(u32 number, u32 a, u32 b, u32 c)
{
    u32 result;
    __asm__ volatile("int $0x80" : "=a"(result) : "0"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}

/* Output is collected in lines, as stdio does on a terminal. */
static char line[128];
static u32 used;

static void flush(void)
{
    system_call(SYS_WRITE, 1, (u32)line, used);
    used = 0;
}

static void put(char c)
{
    line[used++] = c;
    if (c == '\n' || used == sizeof line)
        flush();
}

static void text(const char *s)
{
    while (*s)
        put(*s++);
}

/* Division by ten by hand: a 64-bit division would call into libgcc. */
static u32 divide_by_ten(u64 *value)
{
    u32 high = (u32)(*value >> 32), low = (u32)*value, rest;
    u32 high_quotient = high / 10;
    __asm__("divl %4" : "=a"(low), "=d"(rest) : "0"(low), "1"(high % 10), "r"(10u) : "cc");
    *value = ((u64)high_quotient << 32) | low;
    return rest;
}

static void number(u64 value, u32 width)
{
    char digits[20];
    u32 count = 0;
    do
        digits[count++] = '0' + divide_by_ten(&value);
    while (value);
    for (u32 i = count; i < width; i++)
        put(' ');
    while (count)
        put(digits[--count]);
}

/* The smallest allocator there is. This file is its own C library, and says so with the name that
 * only a library may use: the machine knows a library's malloc and puts its model in this place,
 * which gives every block bounds and remembers where it was allocated. */
void *__libc_malloc(u32 size)
{
    u32 start = system_call(SYS_BRK, 0, 0, 0);
    u32 end = start + ((size + 15) & ~15u);
    return system_call(SYS_BRK, end, 0, 0) == end ? (void *)start : 0;
}

void *malloc(u32 size) __attribute__((alias("__libc_malloc"), malloc));

static void primes(u32 limit)
{
    static unsigned char composite[100];
    text("primes below ");
    number(limit, 0);
    put(':');
    for (u32 n = 2; n < limit; n++) {
        if (composite[n])
            continue;
        put(' ');
        number(n, 0);
        for (u32 m = n * n; m < limit; m += n)
            composite[m] = 1;
    }
    put('\n');
}

static void fibonacci(u32 count)
{
    u64 a = 0, b = 1;
    for (u32 i = 0; i < count; i++) {
        u64 next = a + b;
        a = b;
        b = next;
    }
    text("fibonacci ");
    number(count, 0);
    text(" = ");
    number(a, 0);
    put('\n');
}

static void fill(u32 *squares, u32 count)
{
    for (u32 i = 0; i < count; i++)
        squares[i] = i * i;
}

static void table(u32 rows, u32 written)
{
    u32 *squares = malloc(rows * sizeof *squares);
    fill(squares, written);
    text("  n  n*n\n");
    for (u32 i = 0; i < rows; i++) {
        number(i, 3);
        number(squares[i], 5);
        put('\n');
    }
}

static void through_null(u32 *pointer)
{
    *pointer = 1;
}

static int same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static int demo(const char *what)
{
    text("no libc, no start-up files: only int $0x80\n");
    if (same(what, "null")) {
        through_null(0);
    } else if (same(what, "overflow")) {
        table(8, 9);
    } else {
        primes(100);
        fibonacci(90);
        table(8, 8);
    }
    return 0;
}

__attribute__((used)) static void start(int argc, char **argv)
{
    system_call(SYS_EXIT, demo(argc > 1 ? argv[1] : ""), 0, 0);
}

/* The kernel leaves argc at the stack pointer and the arguments above it. */
__asm__(".globl _start\n"
        ".type _start, @function\n"
        "_start:\n"
        "    xorl %ebp, %ebp\n"
        "    movl (%esp), %eax\n"
        "    leal 4(%esp), %edx\n"
        "    andl $-16, %esp\n"
        "    subl $8, %esp\n"
        "    pushl %edx\n"
        "    pushl %eax\n"
        "    call start\n"
        "    hlt\n"
        ".size _start, . - _start\n");
