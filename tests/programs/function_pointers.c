/* Function pointers: dispatch tables, callbacks with closures by hand, returning functions, state in structs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*binary)(int, int);
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
static int divide(int a, int b) { return b ? a / b : 0; }
static int power(int a, int b) { return b <= 0 ? 1 : a * power(a, b - 1); }

static const struct {
    char symbol;
    binary function;
    const char *name;
} operators[] = {{'+', add, "add"}, {'-', subtract, "subtract"}, {'*', multiply, "multiply"}, {'/', divide, "divide"}, {'^', power, "power"}};

static binary find(char symbol)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].symbol == symbol)
            return operators[i].function;
    return NULL;
}

static int reverse_polish(const char *text)
{
    int stack[16], top = 0;
    for (; *text; text++) {
        if (*text >= '0' && *text <= '9')
            stack[top++] = *text - '0';
        else if (*text != ' ') {
            int b = stack[--top], a = stack[--top];
            stack[top++] = find(*text)(a, b);
        }
    }
    return stack[0];
}

/* An object system by hand. */
struct shape;
struct shape_class {
    const char *name;
    double (*area)(const struct shape *);
    void (*grow)(struct shape *, double);
    struct shape *(*clone)(const struct shape *);
};
struct shape {
    const struct shape_class *class;
    double a, b;
};
static double rectangle_area(const struct shape *s) { return s->a * s->b; }
static double ellipse_area(const struct shape *s) { return 3.0 * s->a * s->b; }
static void grow_both(struct shape *s, double k) { s->a *= k, s->b *= k; }
static void grow_first(struct shape *s, double k) { s->a *= k; }
static struct shape *clone(const struct shape *s)
{
    struct shape *copy = malloc(sizeof *copy);
    *copy = *s;
    return copy;
}
static const struct shape_class rectangle = {"rectangle", rectangle_area, grow_both, clone};
static const struct shape_class ellipse = {"ellipse", ellipse_area, grow_first, clone};

/* fold, map and filter with user data. */
static int fold(const int *values, int n, int start, binary f)
{
    for (int i = 0; i < n; i++)
        start = f(start, values[i]);
    return start;
}
static void for_each(int n, void (*visit)(int, void *), void *data)
{
    for (int i = 0; i < n; i++)
        visit(i, data);
}
static void collect_squares(int i, void *data)
{
    int **out = data;
    *(*out)++ = i * i;
}

/* A state machine whose states return the next state. */
struct machine;
typedef void (*anything)(void);
typedef anything (*state)(struct machine *);
struct machine {
    const char *input;
    int words, numbers;
};
static anything between(struct machine *);
static anything in_word(struct machine *m)
{
    while (*m->input && *m->input != ' ')
        m->input++;
    m->words++;
    return (anything)between;
}
static anything in_number(struct machine *m)
{
    m->numbers += (int)strtol(m->input, (char **)&m->input, 10);
    return (anything)between;
}
static anything between(struct machine *m)
{
    while (*m->input == ' ')
        m->input++;
    return *m->input == 0 ? NULL : (anything)(*m->input >= '0' && *m->input <= '9' ? in_number : in_word);
}

static int (*choose(int which))(int, int) { return operators[which % 5].function; }

int main(void)
{
    printf("%d %d %d\n", reverse_polish("3 4 + 2 * 7 /"), reverse_polish("2 8 ^ 5 -"), reverse_polish("9 0 /"));
    for (int i = 0; i < 7; i++)
        printf("%s %d; ", operators[i % 5].name, choose(i)(20, i + 1));
    putchar('\n');

    struct shape shapes[] = {{&rectangle, 2, 3}, {&ellipse, 1, 4}};
    for (int i = 0; i < 4; i++) {
        struct shape *copy = shapes[i % 2].class->clone(&shapes[i % 2]);
        copy->class->grow(copy, 1.5);
        printf("%s %.2f -> %.2f; ", copy->class->name, shapes[i % 2].class->area(&shapes[i % 2]), copy->class->area(copy));
        shapes[i % 2] = *copy;
        free(copy);
    }
    putchar('\n');

    int values[] = {1, 2, 3, 4, 5}, squares[10], *end = squares;
    printf("%d %d %d\n", fold(values, 5, 0, add), fold(values, 5, 1, multiply), fold(values, 5, 100, subtract));
    for_each(10, collect_squares, &end);
    printf("%d squares, last %d\n", (int)(end - squares), end[-1]);

    struct machine m = {"alpha 12 beta 30  gamma", 0, 0};
    for (state s = between; s;)
        s = (state)s(&m);
    printf("%d words, numbers sum %d\n", m.words, m.numbers);
    void (*table[3])(struct shape *, double) = {grow_both, grow_first, rectangle.grow};
    printf("%d %d\n", table[0] == table[2], table[0] == table[1]);
    return 0;
}
