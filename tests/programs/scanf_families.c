// steam: stdin=12\s0x1f\s017\s-5\n3.5e2\shello\sworld\n[bracket]\sabc123def\nlast\sline\swithout\send
/* sscanf, fscanf on stdin, scansets, suppression, widths, %n, and what is left behind on failure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void integers(void)
{
    int i, n;
    unsigned u, o, x;
    short h;
    signed char c;
    long long q;
    int got = sscanf("  42 -7 0x2A 0755 077 ff", "%d%d%i%i%o%x%n", &i, &n, (int *)&u, (int *)&o, &x, (unsigned *)&got, &n);
    printf("%d %u %u %u n=%d\n", i, u, o, x, n);
    got = sscanf("-300 200 9223372036854775807", "%hd %hhd %lld", &h, &c, &q);
    printf("got %d: %hd %hhd %lld\n", got, h, c, q);
    got = sscanf("12345678", "%3d%2d%n", &i, (int *)&u, &n);
    printf("got %d: %d %u consumed %d\n", got, i, u, n);
    got = sscanf("abc", "%d", &i);
    printf("no number: %d, empty: %d\n", got, sscanf("", "%d", &i));
    got = sscanf("1,2;3", "%d,%d,%d", &i, (int *)&u, (int *)&o);
    printf("stopped after %d\n", got);
}

static void floats(void)
{
    float f;
    double d;
    long double l;
    int got = sscanf("3.25 -1e-10 0x1.8p3", "%f %lf %Lf", &f, &d, &l);
    printf("got %d: %a %a %La\n", got, f, d, l);
    got = sscanf("inf nan -INFINITY", "%f %lf %Lf", &f, &d, &l);
    printf("got %d: %f %f %Lf\n", got, f, d < 0 ? -d : d, l);
    got = sscanf("1.5.25", "%lf%f", &d, &f);
    printf("got %d: %g %g\n", got, d, f);
    got = sscanf("1e+", "%lf", &d);
    printf("broken exponent: %d\n", got);
}

static void strings(void)
{
    char word[32], rest[32], three[4], *made = NULL;
    int n;
    int got = sscanf("key = value with spaces # comment", "%31[^ =] = %31[^#]%n", word, rest, &n);
    printf("got %d: <%s> <%s> %d\n", got, word, rest, n);
    got = sscanf("abcdef", "%3c", three);
    three[3] = 0;
    printf("got %d: %s\n", got, three);
    got = sscanf("aAbB]xyz", "%[]aAbB-]%s", word, rest);
    printf("got %d: %s %s\n", got, word, rest);
    got = sscanf("skip 99 keep", "%*s %*d %s", word);
    printf("got %d: %s\n", got, word);
    got = sscanf("allocated text", "%ms", &made);
    printf("got %d: %s\n", got, made);
    free(made);
    got = sscanf("50%done", "%d%%%s", &n, word);
    printf("got %d: %d %s\n", got, n, word);
    got = sscanf("2024-02-29T23:59:58", "%4d-%2d-%2dT%2d:%2d:%2d", &n, &n, &n, &n, &n, &n);
    printf("got %d, last %d\n", got, n);
    got = sscanf("one two three", "%3$s %1$s %2$s", word, rest, three);
    printf("got %d: %s %s\n", got, word, rest);
}

int main(void)
{
    integers();
    floats();
    strings();

    int a, b, c, d;
    double e;
    char one[16], two[16], text[64];
    printf("stdin %d", scanf("%i %i %i %i", &a, &b, &c, &d));
    printf(": %d %d %d %d\n", a, b, c, d);
    printf("stdin %d", scanf("%lf %15s%15s", &e, one, two));
    printf(": %g %s %s\n", e, one, two);
    printf("stdin %d", scanf(" [%15[a-z]]%15[ a-c]%d%15s", one, two, &a, text));
    printf(": %s <%s> %d %s\n", one, two, a, text);
    printf("newline %d\n", getchar());
    printf("%s\n", fgets(text, sizeof text, stdin));
    printf("end %d %d\n", scanf("%d", &a), feof(stdin));
    return 0;
}
