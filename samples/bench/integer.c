/* Integer kernel: Collatz lengths and a xorshift generator; registers and branches only. */
#include <stdio.h>
#include <stdlib.h>

static unsigned collatz(unsigned n)
{
    unsigned steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        steps++;
    }
    return steps;
}

int main(int argc, char **argv)
{
    unsigned long iterations = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    unsigned state = 2463534242u, sum = 0;
    for (unsigned long i = 0; i < iterations; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        sum = sum * 31 + collatz((state & 0xfff) + 1);
    }
    printf("%u\n", sum);
    return 0;
}
