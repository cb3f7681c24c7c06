/* Base64, hexadecimal dumps, RC4, XTEA, and AES-128 with tables computed at start. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode(const uint8_t *in, size_t n)
{
    char *out = malloc((n + 2) / 3 * 4 + 1), *p = out;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)in[i] << 16 | (i + 1 < n ? in[i + 1] << 8 : 0) | (i + 2 < n ? in[i + 2] : 0);
        *p++ = alphabet[v >> 18];
        *p++ = alphabet[v >> 12 & 63];
        *p++ = i + 1 < n ? alphabet[v >> 6 & 63] : '=';
        *p++ = i + 2 < n ? alphabet[v & 63] : '=';
    }
    *p = 0;
    return out;
}
static size_t decode(const char *in, uint8_t *out)
{
    uint32_t v = 0;
    int bits = 0;
    size_t n = 0;
    for (; *in && *in != '='; in++) {
        v = v << 6 | (uint32_t)(strchr(alphabet, *in) - alphabet);
        if ((bits += 6) >= 8)
            out[n++] = (uint8_t)(v >> (bits -= 8));
    }
    return n;
}
static void dump(const char *label, const uint8_t *p, size_t n)
{
    printf("%s", label);
    for (size_t i = 0; i < n; i++)
        printf("%s%02x", i % 4 ? "" : " ", p[i]);
    putchar('\n');
}

static void rc4(const char *key, uint8_t *data, size_t n)
{
    uint8_t s[256], i = 0, j = 0, t;
    size_t length = strlen(key);
    for (int k = 0; k < 256; k++)
        s[k] = (uint8_t)k;
    for (int k = 0; k < 256; k++) {
        j = (uint8_t)(j + s[k] + key[(size_t)k % length]);
        t = s[k], s[k] = s[j], s[j] = t;
    }
    for (j = 0; n--; data++) {
        j += s[++i];
        t = s[i], s[i] = s[j], s[j] = t;
        *data ^= s[(uint8_t)(s[i] + s[j])];
    }
}
static void xtea(uint32_t v[2], const uint32_t k[4], int decrypt)
{
    uint32_t delta = 0x9e3779b9, sum = decrypt ? delta * 32 : 0;
    for (int i = 0; i < 32; i++)
        if (decrypt) {
            v[1] -= ((v[0] << 4 ^ v[0] >> 5) + v[0]) ^ (sum + k[sum >> 11 & 3]);
            sum -= delta;
            v[0] -= ((v[1] << 4 ^ v[1] >> 5) + v[1]) ^ (sum + k[sum & 3]);
        } else {
            v[0] += ((v[1] << 4 ^ v[1] >> 5) + v[1]) ^ (sum + k[sum & 3]);
            sum += delta;
            v[1] += ((v[0] << 4 ^ v[0] >> 5) + v[0]) ^ (sum + k[sum >> 11 & 3]);
        }
}

static uint8_t box[256], unbox[256];
static uint8_t times(uint8_t a, uint8_t b)
{
    uint8_t r = 0;
    for (; b; b >>= 1, a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0)))
        if (b & 1)
            r ^= a;
    return r;
}
static void make_boxes(void)
{
    for (int i = 0; i < 256; i++) {
        uint8_t inverse = 0;
        for (int j = 1; j < 256 && i && !inverse; j++)
            if (times((uint8_t)i, (uint8_t)j) == 1)
                inverse = (uint8_t)j;
        uint8_t s = inverse;
        for (int k = 1; k < 5; k++)
            s ^= (uint8_t)(inverse << k | inverse >> (8 - k));
        box[i] = s ^ 0x63;
        unbox[box[i]] = (uint8_t)i;
    }
}
static void expand(const uint8_t *key, uint8_t w[176])
{
    uint8_t constant = 1;
    memcpy(w, key, 16);
    for (int i = 16; i < 176; i += 4) {
        uint8_t t[4];
        memcpy(t, w + i - 4, 4);
        if (i % 16 == 0) {
            uint8_t first = t[0];
            t[0] = box[t[1]] ^ constant, t[1] = box[t[2]], t[2] = box[t[3]], t[3] = box[first];
            constant = times(constant, 2);
        }
        for (int k = 0; k < 4; k++)
            w[i + k] = w[i + k - 16] ^ t[k];
    }
}
static void add(uint8_t *s, const uint8_t *k)
{
    for (int i = 0; i < 16; i++)
        s[i] ^= k[i];
}
static void columns(uint8_t *s, const uint8_t *row)
{
    for (int c = 0; c < 16; c += 4) {
        uint8_t t[4];
        for (int r = 0; r < 4; r++)
            t[r] = times(s[c], row[(4 - r) % 4]) ^ times(s[c + 1], row[(5 - r) % 4]) ^ times(s[c + 2], row[(6 - r) % 4]) ^ times(s[c + 3], row[(7 - r) % 4]);
        memcpy(s + c, t, 4);
    }
}
static void substitute(uint8_t *s, const uint8_t *table, int direction)
{
    uint8_t t[16];
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            t[c * 4 + r] = table[s[(c + direction * r + 4) % 4 * 4 + r]];
    memcpy(s, t, 16);
}
static void aes(uint8_t *s, const uint8_t *w, int decrypt)
{
    static const uint8_t forward[4] = {2, 3, 1, 1}, backward[4] = {14, 11, 13, 9};
    add(s, w + (decrypt ? 160 : 0));
    for (int round = 1; round <= 10; round++) {
        substitute(s, decrypt ? unbox : box, decrypt ? -1 : 1);
        if (!decrypt && round < 10)
            columns(s, forward);
        add(s, w + 16 * (decrypt ? 10 - round : round));
        if (decrypt && round < 10)
            columns(s, backward);
    }
}

int main(void)
{
    static const char *const texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "Any carnal pleas\x01\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *coded = encode((const uint8_t *)texts[i], strlen(texts[i]));
        uint8_t back[64];
        size_t n = decode(coded, back);
        printf("%s %d\n", coded, n == strlen(texts[i]) && memcmp(back, texts[i], n) == 0);
        free(coded);
    }
    uint8_t text[] = "Plaintext";
    rc4("Key", text, 9);
    dump("rc4", text, 9);
    rc4("Key", text, 9);
    printf("%s\n", text);
    uint32_t v[2] = {0x41424344, 0x45464748}, k[4] = {0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f};
    xtea(v, k, 0);
    printf("xtea %08x %08x", v[0], v[1]);
    xtea(v, k, 1);
    printf(" back %08x %08x\n", v[0], v[1]);
    make_boxes();
    dump("box", box, 16);
    uint8_t key[16], block[16], schedule[176];
    for (int i = 0; i < 16; i++)
        key[i] = (uint8_t)i, block[i] = (uint8_t)(i * 0x11);
    expand(key, schedule);
    aes(block, schedule, 0);
    dump("aes", block, 16);
    aes(block, schedule, 1);
    dump("back", block, 16);
    for (int i = 0; i < 100; i++)
        aes(block, schedule, 0);
    dump("hundred", block, 16);
    return 0;
}
