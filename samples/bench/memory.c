/* Memory kernel: a sieve of bytes and a random walk over 1 MiB of words. */
#include <stdio.h>
#include <stdlib.h>

enum { SIEVE = 1 << 14, WORDS = 1 << 18 };

static unsigned char composite[SIEVE];
static unsigned words[WORDS];

static unsigned sieve(void)
{
    unsigned primes = 0;
    for (unsigned i = 0; i < SIEVE; i++)
        composite[i] = 0;
    for (unsigned n = 2; n < SIEVE; n++) {
        if (composite[n])
            continue;
        primes++;
        for (unsigned m = 2 * n; m < SIEVE; m += n)
            composite[m] = 1;
    }
    return primes;
}

static unsigned walk(unsigned at, unsigned steps)
{
    while (steps--) {
        unsigned next = (at * 1664525u + 1013904223u) ^ words[at % WORDS];
        words[at % WORDS] = next + at;
        at = next >> 7;
    }
    return at;
}

int main(int argc, char **argv)
{
    unsigned long iterations = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    unsigned sum = 0;
    for (unsigned long i = 0; i < iterations; i++)
        sum = sum * 31 + sieve() + walk(sum, 8192);
    printf("%u\n", sum);
    return 0;
}
