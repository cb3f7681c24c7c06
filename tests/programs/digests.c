/* MD5, SHA-1, SHA-256, CRC-32, Adler-32 and FNV-1a on the published test vectors and on longer data. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t left(uint32_t x, int n) { return x << n | x >> (32 - n); }
static uint32_t right(uint32_t x, int n) { return x >> n | x << (32 - n); }
static uint32_t big(const uint8_t *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }
static uint32_t little(const uint8_t *p) { return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0]; }

static void md5_block(uint32_t *h, const uint8_t *block)
{
    static const uint8_t turn[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const uint32_t k[64] = {
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
        0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
        0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
        0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
    for (int i = 0; i < 64; i++) {
        uint32_t f;
        int g;
        switch (i / 16) {
        case 0: f = (b & c) | (~b & d), g = i; break;
        case 1: f = (d & b) | (~d & c), g = (5 * i + 1) % 16; break;
        case 2: f = b ^ c ^ d, g = (3 * i + 5) % 16; break;
        default: f = c ^ (b | ~d), g = 7 * i % 16; break;
        }
        uint32_t next = b + left(a + f + k[i] + little(block + 4 * g), turn[i / 16][i % 4]);
        a = d, d = c, c = b, b = next;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d;
}
static void sha1_block(uint32_t *h, const uint8_t *block)
{
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int i = 0; i < 80; i++)
        w[i] = i < 16 ? big(block + 4 * i) : left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20 ? ((b & c) | (~b & d)) + 0x5a827999 : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1 : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6;
        uint32_t next = left(a, 5) + f + e + w[i];
        e = d, d = c, c = left(b, 30), b = a, a = next;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}
static void sha256_block(uint32_t *h, const uint8_t *block)
{
    static uint32_t k[64];
    if (!k[0]) { /* fractional parts of the cube roots of the first 64 primes, by integer search */
        int n = 0;
        for (uint64_t p = 2; n < 64; p++) {
            int prime = 1;
            for (uint64_t q = 2; q * q <= p; q++)
                prime &= p % q != 0;
            if (!prime)
                continue;
            uint64_t low = 0, high = (uint64_t)8 << 32; /* root * 2^32 */
            while (low < high) {
                uint64_t middle = (low + high + 1) / 2, top = middle >> 16, square = top * top; /* compare in 2^48 fixed point first */
                __extension__ typedef unsigned long long wide;
                wide cube_high = square * top;
                if (cube_high > p << 48)
                    high = middle - 1;
                else {
                    /* exact: (m^3 <= p * 2^96) with 32-bit limbs */
                    uint32_t m[2] = {(uint32_t)middle, (uint32_t)(middle >> 32)}, s[4] = {0}, c[6] = {0};
                    for (int i = 0; i < 2; i++) {
                        uint64_t carry = 0;
                        for (int j = 0; j < 2; j++) {
                            carry += (uint64_t)m[i] * m[j] + s[i + j];
                            s[i + j] = (uint32_t)carry;
                            carry >>= 32;
                        }
                        s[i + 2] += (uint32_t)carry;
                    }
                    for (int i = 0; i < 4; i++) {
                        uint64_t carry = 0;
                        for (int j = 0; j < 2; j++) {
                            carry += (uint64_t)s[i] * m[j] + c[i + j];
                            c[i + j] = (uint32_t)carry;
                            carry >>= 32;
                        }
                        c[i + 2] += (uint32_t)carry;
                    }
                    uint64_t whole = (uint64_t)c[4] << 32 | c[3];
                    if (whole < p || (whole == p && !(c[0] | c[1] | c[2])))
                        low = middle;
                    else
                        high = middle - 1;
                }
            }
            k[n++] = (uint32_t)low;
        }
    }
    uint32_t w[64], v[8];
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++)
        w[i] = i < 16 ? big(block + 4 * i)
                      : w[i - 16] + w[i - 7] + (right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3) + (right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = v[7] + (right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t t2 = (right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 28);
        v[4] += t1, v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

static void digest(const char *name, const uint8_t *data, size_t size, const uint32_t *start, int words, int is_big, void (*block)(uint32_t *, const uint8_t *))
{
    uint32_t h[8];
    uint8_t last[128] = {0};
    memcpy(h, start, sizeof(uint32_t) * (size_t)words);
    size_t whole = size / 64 * 64, rest = size - whole, padded = rest < 56 ? 64 : 128;
    for (size_t i = 0; i < whole; i += 64)
        block(h, data + i);
    memcpy(last, data + whole, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        last[padded - 8 + (size_t)(is_big ? 7 - i : i)] = (uint8_t)((uint64_t)size * 8 >> (8 * i));
    for (size_t i = 0; i < padded; i += 64)
        block(h, last + i);
    printf("  %s ", name);
    for (int i = 0; i < words; i++)
        printf("%08x", is_big ? h[i] : __builtin_bswap32(h[i]));
    putchar('\n');
}

static uint32_t crc32(const uint8_t *data, size_t size)
{
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t c = i;
            for (int k = 0; k < 8; k++)
                c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
            table[i] = c;
        }
    uint32_t crc = ~0u;
    while (size--)
        crc = table[(crc ^ *data++) & 255] ^ crc >> 8;
    return ~crc;
}
static uint32_t adler32(const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0;
    while (size--)
        a = (a + *data++) % 65521, b = (b + a) % 65521;
    return b << 16 | a;
}

static void all(const char *label, const uint8_t *data, size_t size)
{
    static const uint32_t start[8] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    static const uint32_t start256[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    printf("%s: crc %08x adler %08x\n", label, crc32(data, size), adler32(data, size));
    digest("md5", data, size, start, 4, 0, md5_block);
    digest("sha1", data, size, start, 5, 1, sha1_block);
    digest("sha256", data, size, start256, 8, 1, sha256_block);
}

int main(void)
{
    static uint8_t data[10000];
    all("empty", (const uint8_t *)"", 0);
    all("abc", (const uint8_t *)"abc", 3);
    all("alphabet", (const uint8_t *)"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * i + i / 7);
    all("long", data, sizeof data);
    all("sixty-three", data, 63);
    return 0;
}
