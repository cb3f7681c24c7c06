// steam: stdin=@fixtures/prose.txt
/* LZ77 with a hash chain, LZW, run lengths and Huffman coding; everything is decoded again and compared. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 65536
static uint8_t text[LIMIT], packed[LIMIT * 2], again[LIMIT];

static unsigned checksum(const uint8_t *p, size_t n)
{
    unsigned a = 1, b = 0;
    while (n--)
        a = (a + *p++) % 65521, b = (b + a) % 65521;
    return b << 16 | a;
}

static size_t lz77_pack(const uint8_t *in, size_t n, uint8_t *out)
{
    static int head[4096], previous[LIMIT];
    size_t o = 0;
    memset(head, -1, sizeof head);
    for (size_t i = 0; i < n;) {
        int best = 0, distance = 0;
        unsigned h = 0;
        if (i + 3 <= n) {
            h = (in[i] << 7 ^ in[i + 1] << 4 ^ in[i + 2]) & 4095;
            int tries = 32;
            for (int p = head[h]; p >= 0 && (int)i - p < 4096 && tries--; p = previous[p]) {
                int length = 0;
                while (length < 18 && i + (size_t)length < n && in[p + length] == in[i + (size_t)length])
                    length++;
                if (length > best)
                    best = length, distance = (int)i - p;
            }
        }
        int take = best >= 3 ? best : 1;
        if (best >= 3) {
            out[o++] = (uint8_t)(0x80 | (best - 3) << 3 | distance >> 9);
            out[o++] = (uint8_t)(distance >> 1);
            out[o++] = (uint8_t)(distance & 1);
        } else {
            out[o++] = 0;
            out[o++] = in[i];
        }
        for (; take--; i++)
            if (i + 3 <= n) {
                h = (in[i] << 7 ^ in[i + 1] << 4 ^ in[i + 2]) & 4095;
                previous[i] = head[h];
                head[h] = (int)i;
            }
    }
    return o;
}
static size_t lz77_unpack(const uint8_t *in, size_t n, uint8_t *out)
{
    size_t o = 0;
    for (size_t i = 0; i < n;)
        if (in[i] & 0x80) {
            int length = (in[i] >> 3 & 15) + 3, distance = (in[i] & 7) << 9 | in[i + 1] << 1 | in[i + 2];
            for (; length--; o++)
                out[o] = out[o - (size_t)distance];
            i += 3;
        } else {
            out[o++] = in[i + 1];
            i += 2;
        }
    return o;
}

struct dictionary {
    int prefix[4096];
    uint8_t last[4096];
    int used;
};
static size_t lzw_pack(const uint8_t *in, size_t n, uint16_t *out)
{
    struct dictionary *d = calloc(1, sizeof *d);
    size_t o = 0;
    int code = in[0];
    d->used = 256;
    for (size_t i = 1; i <= n; i++) {
        int found = -1;
        if (i < n)
            for (int k = 256; k < d->used && found < 0; k++)
                if (d->prefix[k] == code && d->last[k] == in[i])
                    found = k;
        if (found >= 0) {
            code = found;
            continue;
        }
        out[o++] = (uint16_t)code;
        if (i < n && d->used < 4096) {
            d->prefix[d->used] = code;
            d->last[d->used++] = in[i];
        }
        if (i < n)
            code = in[i];
    }
    free(d);
    return o;
}
static size_t lzw_expand(struct dictionary *d, int code, uint8_t *out)
{
    uint8_t reversed[4096];
    size_t n = 0, i = 0;
    for (; code >= 256; code = d->prefix[code])
        reversed[n++] = d->last[code];
    reversed[n++] = (uint8_t)code;
    while (n)
        out[i++] = reversed[--n];
    return i;
}
static size_t lzw_unpack(const uint16_t *in, size_t n, uint8_t *out)
{
    struct dictionary *d = calloc(1, sizeof *d);
    size_t o = lzw_expand(d, in[0], out);
    d->used = 256;
    for (size_t i = 1; i < n; i++) {
        size_t start = o;
        if (d->used < 4096)
            d->prefix[d->used] = in[i - 1];
        if (in[i] < d->used)
            o += lzw_expand(d, in[i], out + o);
        else {
            o += lzw_expand(d, in[i - 1], out + o);
            out[o++] = out[start];
        }
        if (d->used < 4096)
            d->last[d->used++] = out[start];
    }
    free(d);
    return o;
}

static size_t huffman(const uint8_t *in, size_t n)
{
    unsigned weight[511] = {0};
    int parent[511], alive = 0, nodes = 256;
    for (size_t i = 0; i < n; i++)
        weight[in[i]]++;
    for (int i = 0; i < 511; i++)
        parent[i] = -1;
    for (int i = 0; i < 256; i++)
        alive += weight[i] != 0;
    for (; alive > 1; alive--) {
        int a = -1, b = -1;
        for (int i = 0; i < nodes; i++)
            if (weight[i] && parent[i] < 0) {
                if (a < 0 || weight[i] < weight[a])
                    b = a, a = i;
                else if (b < 0 || weight[i] < weight[b])
                    b = i;
            }
        weight[nodes] = weight[a] + weight[b];
        parent[a] = parent[b] = nodes++;
    }
    size_t bits = 0;
    for (int i = 0; i < 256; i++)
        for (int p = i; weight[i] && parent[p] >= 0; p = parent[p])
            bits += weight[i];
    return bits;
}

int main(void)
{
    static uint16_t codes[LIMIT];
    size_t n = fread(text, 1, 4000, stdin), unit = n;
    while (n + unit / 2 < 12000) {
        memcpy(text + n, text + n % 97, unit / 2);
        n += unit / 2;
    }
    printf("%zu bytes, checksum %08x\n", n, checksum(text, n));
    size_t size = lz77_pack(text, n, packed);
    printf("lz77 %zu, checksum %08x", size, checksum(packed, size));
    size_t back = lz77_unpack(packed, size, again);
    printf(" same %d\n", back == n && memcmp(text, again, n) == 0);
    size = lzw_pack(text, n, codes);
    printf("lzw %zu codes, checksum %08x", size, checksum((uint8_t *)codes, size * 2));
    back = lzw_unpack(codes, size, again);
    printf(" same %d\n", back == n && memcmp(text, again, n) == 0);
    printf("huffman %zu bits\n", huffman(text, n));
    return 0;
}
