/* Structures passed and returned by value: sizes from one byte to many, floats, nested, arrays, unions. */
#include <stdio.h>
#include <string.h>

typedef struct { char c; } one;
typedef struct { char c[3]; } three;
typedef struct { short a; char b; } four;
typedef struct { int x, y; } pair;
typedef struct { int v[3]; } triple;
typedef struct { float f; } lone_float;
typedef struct { double d; } lone_double;
typedef struct { double re, im; } cplx;
typedef struct { long double wide; char tag; } wide;
typedef struct { char text[37]; int length; } text_box;
typedef struct { pair corner[2]; union { int i; float f; char bytes[4]; } tag; const char *name; } nested;
typedef struct { int data[64]; } large;

static one make_one(char c) { one r = {c}; return r; }
static three rotate_three(three t) { three r = {{t.c[1], t.c[2], t.c[0]}}; return r; }
static four swap_four(four f) { four r = {(short)(f.b * 2), (char)(f.a / 2)}; return r; }
static pair swap(pair p) { pair r = {p.y, p.x}; return r; }
static triple add(triple a, triple b)
{
    for (int i = 0; i < 3; i++)
        a.v[i] += b.v[i];
    return a;
}
static lone_float half(lone_float f) { f.f /= 2; return f; }
static lone_double scale(lone_double d, float k) { d.d *= k; return d; }
static cplx multiply(cplx a, cplx b) { return (cplx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static wide widen(wide w, int n) { w.wide += n; w.tag++; return w; }
static text_box join(text_box a, text_box b)
{
    text_box r = a;
    snprintf(r.text, sizeof r.text, "%s+%s", a.text, b.text);
    r.length = (int)strlen(r.text);
    return r;
}
static nested flip(nested n)
{
    pair t = n.corner[0];
    n.corner[0] = n.corner[1];
    n.corner[1] = swap(t);
    n.tag.i ^= 0x20202020;
    return n;
}
static large iterate(large l, int depth)
{
    if (depth == 0)
        return l;
    for (int i = 0; i < 64; i++)
        l.data[i] = l.data[(i * 7 + 1) % 64] + depth;
    return iterate(l, depth - 1);
}
static int many(char a, pair b, double c, one d, triple e, float f, long long g, three h, short i)
{
    return a + b.x * b.y + (int)c + d.c + e.v[2] + (int)f + (int)(g >> 32) + h.c[2] + i;
}
typedef pair (*pair_function)(pair);

int main(void)
{
    three t = {{'a', 'b', 'c'}};
    t = rotate_three(rotate_three(t));
    printf("%c %c%c%c\n", make_one('q').c, t.c[0], t.c[1], t.c[2]);
    four f = swap_four((four){100, 7});
    printf("%d %d\n", f.a, f.b);
    pair_function function = swap;
    pair p = function((pair){3, 4});
    triple sum = add((triple){{1, 2, 3}}, add((triple){{10, 20, 30}}, (triple){{100, 200, 300}}));
    printf("%d,%d %d %d %d\n", p.x, p.y, sum.v[0], sum.v[1], sum.v[2]);
    cplx z = {0.5, -0.25}, r = {1, 0};
    for (int i = 0; i < 5; i++)
        r = multiply(r, z);
    printf("%g %g %.10g%+.10gi\n", half((lone_float){2.5f}).f, scale((lone_double){1.5}, 3.0f).d, r.re, r.im);
    wide w = {1.25L, 'A'};
    for (int i = 0; i < 3; i++)
        w = widen(w, i);
    printf("%Lg %c %zu\n", w.wide, w.tag, sizeof w);
    text_box b = join(join((text_box){"left", 4}, (text_box){"middle", 6}), (text_box){"and a rather long right side", 0});
    printf("%s %d\n", b.text, b.length);
    nested n = {{{1, 2}, {3, 4}}, {.bytes = {'a', 'B', 'c', 'D'}}, "name"};
    n = flip(flip(flip(n)));
    printf("%d %d %d %d %.4s %s\n", n.corner[0].x, n.corner[0].y, n.corner[1].x, n.corner[1].y, n.tag.bytes, n.name);
    large l;
    for (int i = 0; i < 64; i++)
        l.data[i] = i;
    large m = iterate(l, 20);
    long total = 0;
    for (int i = 0; i < 64; i++)
        total += m.data[i] * (long)(i + 1) + l.data[i];
    printf("%ld\n", total);
    printf("%d\n", many(1, (pair){2, 3}, 4.5, make_one(5), sum, 6.5f, 7LL << 32, t, -8));
    pair copies[4], *q = copies;
    for (int i = 0; i < 4; i++)
        *q++ = i ? swap(copies[i - 1]) : p;
    printf("%d %d\n", copies[3].x, copies[3].y);
    return 0;
}
