/* Pseudo-random generators: the C library's, MT19937, xoshiro, PCG, and statistics over them. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t mt[624];
static int at = 624;
static void mt_seed(uint32_t s)
{
    for (int i = 0; i < 624; i++, s = 1812433253u * (s ^ s >> 30) + (uint32_t)i)
        mt[i] = s;
    at = 624;
}
static uint32_t mt_next(void)
{
    if (at == 624) {
        for (int i = 0; i < 624; i++) {
            uint32_t y = (mt[i] & 0x80000000u) | (mt[(i + 1) % 624] & 0x7fffffffu);
            mt[i] = mt[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        at = 0;
    }
    uint32_t y = mt[at++];
    y ^= y >> 11, y ^= y << 7 & 0x9d2c5680u, y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

static uint64_t rotate(uint64_t x, int k) { return x << k | x >> (64 - k); }
static uint64_t xo[4];
static uint64_t xoshiro(void)
{
    uint64_t result = rotate(xo[1] * 5, 7) * 9, t = xo[1] << 17;
    xo[2] ^= xo[0], xo[3] ^= xo[1], xo[1] ^= xo[2], xo[0] ^= xo[3];
    xo[2] ^= t;
    xo[3] = rotate(xo[3], 45);
    return result;
}
static uint64_t splitmix(uint64_t *s)
{
    uint64_t z = *s += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
static uint64_t pcg_state = 0x853c49e6748fea9bull;
static uint32_t pcg(void)
{
    uint64_t old = pcg_state;
    pcg_state = old * 6364136223846793005ull + 0xda3e39cb94b95bdbull;
    uint32_t x = (uint32_t)((old >> 18 ^ old) >> 27), r = (uint32_t)(old >> 59);
    return x >> r | x << (-r & 31);
}

static void histogram(const char *name, uint32_t (*next)(void))
{
    int bin[16] = {0}, least = 1 << 30, most = 0;
    double sum = 0, squares = 0;
    for (int i = 0; i < 16000; i++) {
        uint32_t v = next();
        bin[v >> 28]++;
        double u = v / 4294967296.0;
        sum += u, squares += u * u;
    }
    for (int i = 0; i < 16; i++) {
        least = bin[i] < least ? bin[i] : least;
        most = bin[i] > most ? bin[i] : most;
    }
    printf("%s: mean %.6f variance %.6f bins %d..%d\n", name, sum / 16000, squares / 16000 - sum / 16000 * (sum / 16000), least, most);
}

static void shuffle(char *text, int n)
{
    while (n > 1) {
        int k = (int)(mt_next() % (uint32_t)n--);
        char t = text[k];
        text[k] = text[n], text[n] = t;
    }
}

int main(void)
{
    srand(1);
    printf("rand %d %d %d\n", rand(), rand(), rand());
    srand(42);
    int first = rand();
    srand(42);
    printf("repeats %d\n", first == rand());
    srandom(7);
    printf("random %ld %ld\n", random(), random());
    srand48(3);
    printf("drand48 %.12f %ld %ld\n", drand48(), lrand48(), mrand48());
    unsigned short xs[3] = {1, 2, 3};
    printf("erand48 %.12f %ld\n", erand48(xs), nrand48(xs));
    unsigned r = 5;
    printf("rand_r %d %d\n", rand_r(&r), rand_r(&r));
    char buffer[64];
    struct random_data data = {0};
    int32_t value;
    initstate_r(99, buffer, sizeof buffer, &data);
    random_r(&data, &value);
    printf("random_r %d\n", value);

    mt_seed(5489);
    uint32_t v = 0;
    for (int i = 0; i < 10000; i++)
        v = mt_next();
    printf("mt19937 10000th %u\n", v); /* 4123659995 by the C++ standard */
    uint64_t s = 0;
    for (int i = 0; i < 4; i++)
        xo[i] = splitmix(&s);
    printf("xoshiro %016llx %016llx\n", (unsigned long long)xoshiro(), (unsigned long long)xoshiro());
    printf("pcg %08x %08x %08x\n", pcg(), pcg(), pcg());
    histogram("mt", mt_next);
    histogram("pcg", pcg);
    char letters[] = "abcdefghijklmnopqrstuvwxyz";
    shuffle(letters, 26);
    puts(letters);
    int inside = 0;
    for (int i = 0; i < 40000; i++) {
        double x = mt_next() / 4294967296.0, y = mt_next() / 4294967296.0;
        inside += x * x + y * y < 1;
    }
    printf("pi is about %.4f\n", 4.0 * inside / 40000);
    return 0;
}
