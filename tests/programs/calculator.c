// steam: stdin=1+2*3\n(1+2)*3\n-2^2\n2^3^2\nx=7/2\ny=x*x-1\nsqrt(y)+max(x,10)\n10%4+1e2\n1/0\n3+\n)(\nfoo(1)\npi*2\nx\s=\s-x\nx\n\n((((1))))\n1.5e-3*.5\nfact(10)\nfact(20)/fact(18)\nz+1 flags=-lm
/* A recursive-descent calculator with variables, functions and error messages, reading standard input. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at, *start;
static jmp_buf failure;
static char reason[80];
static struct {
    char name[16];
    double value;
} variables[32];
static int variable_count;

static void fail(const char *why)
{
    snprintf(reason, sizeof reason, "%s at column %d", why, (int)(at - start) + 1);
    longjmp(failure, 1);
}
static void blanks(void)
{
    while (isspace((unsigned char)*at))
        at++;
}
static int accept(char c)
{
    blanks();
    if (*at != c)
        return 0;
    at++;
    return 1;
}

static double expression(void);
static double factorial(double n) { return n < 2 ? 1 : n * factorial(n - 1); }
static double call(const char *name)
{
    double argument[2] = {0, 0};
    int n = 0;
    if (!accept(')')) {
        do {
            if (n == 2)
                fail("too many arguments");
            argument[n++] = expression();
        } while (accept(','));
        if (!accept(')'))
            fail("missing )");
    }
    if (strcmp(name, "sqrt") == 0 && n == 1)
        return sqrt(argument[0]);
    if (strcmp(name, "max") == 0 && n == 2)
        return argument[0] > argument[1] ? argument[0] : argument[1];
    if (strcmp(name, "fact") == 0 && n == 1)
        return factorial(argument[0]);
    fail("unknown function");
    return 0;
}
static double *lookup(const char *name, int create)
{
    for (int i = 0; i < variable_count; i++)
        if (strcmp(variables[i].name, name) == 0)
            return &variables[i].value;
    if (!create || variable_count == 32)
        return NULL;
    strcpy(variables[variable_count].name, name);
    return &variables[variable_count++].value;
}
static void word(char *name)
{
    int n = 0;
    while (isalnum((unsigned char)*at) || *at == '_') {
        if (n == 15)
            fail("name too long");
        name[n++] = *at++;
    }
    name[n] = 0;
}
static double primary(void)
{
    blanks();
    if (accept('(')) {
        double value = expression();
        if (!accept(')'))
            fail("missing )");
        return value;
    }
    if (isdigit((unsigned char)*at) || *at == '.') {
        char *end;
        double value = strtod(at, &end);
        if (end == at)
            fail("bad number");
        at = end;
        return value;
    }
    if (isalpha((unsigned char)*at)) {
        char name[16];
        word(name);
        if (accept('('))
            return call(name);
        double *value = lookup(name, 0);
        if (!value)
            fail("unknown variable");
        return *value;
    }
    fail(*at ? "unexpected character" : "unexpected end");
    return 0;
}
static double power(void);
static double unary(void)
{
    if (accept('-'))
        return -unary();
    if (accept('+'))
        return unary();
    return power();
}
static double power(void)
{
    double base = primary();
    return accept('^') ? pow(base, unary()) : base;
}
static double term(void)
{
    double value = unary();
    for (;;)
        if (accept('*'))
            value *= unary();
        else if (accept('/')) {
            double divisor = unary();
            if (divisor == 0)
                fail("division by zero");
            value /= divisor;
        } else if (accept('%'))
            value = fmod(value, unary());
        else
            return value;
}
static double expression(void)
{
    double value = term();
    for (;;)
        if (accept('+'))
            value += term();
        else if (accept('-'))
            value -= term();
        else
            return value;
}
static double statement(void)
{
    const char *mark = at;
    blanks();
    if (isalpha((unsigned char)*at)) {
        char name[16];
        word(name);
        if (accept('=')) {
            double value = expression();
            *lookup(name, 1) = value;
            return value;
        }
        at = mark;
    }
    return expression();
}

int main(void)
{
    char line[256];
    int volatile good = 0, bad = 0;
    *lookup("pi", 1) = 3.14159265358979;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!*line)
            continue;
        at = start = line;
        if (setjmp(failure) == 0) {
            double value = statement();
            blanks();
            if (*at)
                fail("trailing text");
            printf("%s -> %.10g\n", line, value);
            good++;
        } else {
            printf("%s -> error: %s\n", line, reason);
            bad++;
        }
    }
    printf("%d good, %d bad\n", good, bad);
    return 0;
}
