/* State machines: a UTF-8 decoder, a CSV reader, a comment stripper, elementary automata, a vending machine, Life. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void utf8(const unsigned char *s)
{
    unsigned code = 0, low = 0;
    int need = 0;
    for (;; s++) {
        if (need && (*s & 0xc0) != 0x80) {
            printf("<cut>");
            need = 0;
        }
        if (*s == 0)
            break;
        if (need) {
            code = code << 6 | (*s & 0x3f);
            if (--need == 0)
                code < low || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? printf("<bad>") : printf("U+%04X ", code);
        } else if (*s < 0x80)
            printf("%c ", *s);
        else if (*s >= 0xc0 && *s < 0xf8) {
            need = *s >= 0xf0 ? 3 : *s >= 0xe0 ? 2 : 1;
            low = need == 3 ? 0x10000 : need == 2 ? 0x800 : 0x80;
            code = *s & (0x3f >> need);
        } else
            printf("<stray>");
    }
    putchar('\n');
}

static void csv(const char *s)
{
    enum { START, PLAIN, QUOTED, QUOTE } state = START;
    int field = 1, row = 1;
    printf("%d.%d:", row, field);
    for (; *s; s++)
        switch (state) {
        case QUOTED:
            if (*s == '"')
                state = QUOTE;
            else
                putchar(*s == '\n' ? '~' : *s);
            break;
        case START:
            if (*s == '"') {
                state = QUOTED;
                break;
            }
            /* fall through */
        case QUOTE:
            if (state == QUOTE && *s == '"') {
                putchar('"');
                state = QUOTED;
                break;
            }
            /* fall through */
        case PLAIN:
            if (*s == ',') {
                printf(" %d.%d:", row, ++field);
                state = START;
            } else if (*s == '\n') {
                field = 1;
                printf("\n%d.%d:", ++row, field);
                state = START;
            } else {
                putchar(*s);
                state = PLAIN;
            }
        }
    putchar('\n');
}

static void automaton(uint8_t rule, int steps)
{
    uint64_t cells = 1ull << 31;
    for (int i = 0; i < steps; i++) {
        for (int b = 62; b >= 0; b--)
            putchar(cells >> b & 1 ? '#' : '.');
        putchar('\n');
        uint64_t next = 0;
        for (int b = 1; b < 63; b++)
            next |= (uint64_t)(rule >> (cells >> (b - 1) & 7) & 1) << b;
        cells = next;
    }
}

static void vending(const char *coins)
{
    static const struct {
        int next[3];
        const char *action[3];
    } table[] = {{{1, 2, 0}, {"5", "10", "nothing to return"}}, {{2, 3, 0}, {"10", "15", "return 5"}}, {{3, 0, 0}, {"15", "drink", "return 10"}}, {{0, 0, 0}, {"drink", "drink and 5 back", "return 15"}}};
    int state = 0;
    for (; *coins; coins++) {
        int input = *coins == 'n' ? 0 : *coins == 'd' ? 1 : 2;
        printf("%s; ", table[state].action[input]);
        state = table[state].next[input];
    }
    putchar('\n');
}

#define SIDE 20
static void life(char (*grid)[SIDE], int generations)
{
    char next[SIDE][SIDE];
    for (int g = 0; g < generations; g++) {
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                int n = 0;
                for (int dy = -1; dy < 2; dy++)
                    for (int dx = -1; dx < 2; dx++)
                        n += (dy || dx) && grid[(y + dy + SIDE) % SIDE][(x + dx + SIDE) % SIDE];
                next[y][x] = n == 3 || (n == 2 && grid[y][x]);
            }
        memcpy(grid, next, sizeof next);
    }
}

int main(void)
{
    utf8((const unsigned char *)"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xc0\x80 \xed\xa0\x80 \xe2\x82 \xff z");
    csv("one,two,\"three, four\"\n\"a \"\"quoted\"\" word\",,\"line\nbreak\"\nlast,");
    automaton(30, 12);
    automaton(90, 8);
    vending("nnnnddndrnnr");
    char grid[SIDE][SIDE] = {{0}};
    grid[1][2] = grid[2][3] = grid[3][1] = grid[3][2] = grid[3][3] = 1;
    grid[10][9] = grid[10][10] = grid[10][11] = 1;
    life(grid, 37);
    for (int y = 0; y < SIDE; y++) {
        int any = 0;
        for (int x = 0; x < SIDE; x++)
            any |= grid[y][x];
        if (any) {
            printf("%2d ", y);
            for (int x = 0; x < SIDE; x++)
                putchar(grid[y][x] ? '#' : '.');
            putchar('\n');
        }
    }
    return 0;
}
