/* Recursion: Ackermann, Hanoi, n queens, permutations, mutual recursion, flood fill, deep call chains. */
#include <stdio.h>
#include <string.h>

static unsigned calls;
static unsigned ackermann(unsigned m, unsigned n)
{
    calls++;
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static unsigned moves;
static void hanoi(int n, char from, char to, char over)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, over, to);
    if (++moves <= 7)
        printf("%c%c ", from, to);
    hanoi(n - 1, over, to, from);
}

static int queens(int n, unsigned columns, unsigned left, unsigned right)
{
    unsigned all = (1u << n) - 1;
    if (columns == all)
        return 1;
    int count = 0;
    for (unsigned free_places = all & ~(columns | left | right); free_places; free_places &= free_places - 1) {
        unsigned place = free_places & -free_places;
        count += queens(n, columns | place, (left | place) << 1, (right | place) >> 1);
    }
    return count;
}

static int shown;
static void permute(char *text, int at, int length)
{
    if (at == length) {
        if (shown++ % 17 == 0)
            printf("%s ", text);
        return;
    }
    for (int i = at; i < length; i++) {
        char t = text[at];
        text[at] = text[i], text[i] = t;
        permute(text, at + 1, length);
        t = text[at];
        text[at] = text[i], text[i] = t;
    }
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static char picture[12][25] = {"########################", "#......#.......#.......#", "#.####.#.#####.#.#####.#", "#.#..#.#.#...#.#.#...#.#",
                               "#.#..#.#.#.#.#.#.#.#.#.#", "#.#..#.#.#.#.#...#.#.#.#", "#.####.#.#.#.#####.#.#.#", "#......#.#.#.......#.#.#",
                               "####.###.#.#########.#.#", "#......#.#...........#.#", "#......#.#############.#", "########################"};
static int fill(int y, int x)
{
    if (picture[y][x] != '.')
        return 0;
    picture[y][x] = 'o';
    return 1 + fill(y - 1, x) + fill(y + 1, x) + fill(y, x - 1) + fill(y, x + 1);
}

static long depth_sum(int n) { return n == 0 ? 0 : n + depth_sum(n - 1); }

static double continued_fraction(int n) { return n == 0 ? 1.0 : 1.0 + 1.0 / continued_fraction(n - 1); }

#define CALL(n, next) \
    static __attribute__((noinline)) int chain_##n(int x) { return next(x + n) ^ n; }
static __attribute__((noinline)) int chain_0(int x) { return x * 3; }
CALL(1, chain_0) CALL(2, chain_1) CALL(3, chain_2) CALL(4, chain_3) CALL(5, chain_4) CALL(6, chain_5) CALL(7, chain_6) CALL(8, chain_7)

static int nested(int depth, int x) { return depth == 0 ? x : chain_8(nested(depth - 1, x + depth)) & 0xffff; }

static int partitions(int n, int largest)
{
    if (n == 0)
        return 1;
    int count = 0;
    for (int part = largest < n ? largest : n; part > 0; part--)
        count += partitions(n - part, part);
    return count;
}

int main(void)
{
    for (unsigned m = 0; m < 4; m++)
        printf("A(%u,4)=%u ", m, ackermann(m, 4));
    printf("in %u calls\n", calls);
    hanoi(14, 'A', 'C', 'B');
    printf("... %u moves\n", moves);
    for (int n = 1; n <= 9; n++)
        printf("%d ", queens(n, 0, 0, 0));
    putchar('\n');
    char text[] = "abcde";
    permute(text, 0, 5);
    printf("%d permutations\n", shown);
    printf("%d %d\n", is_even(10000), is_odd(10000));
    printf("filled %d\n", fill(1, 1));
    for (int y = 0; y < 12; y++)
        puts(picture[y]);
    printf("%ld %.12f %d %d\n", depth_sum(20000), continued_fraction(30), nested(128, 5), partitions(30, 30));
    return 0;
}
