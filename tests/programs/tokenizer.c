// steam: stdin=@fixtures/source.txt
/* A tokenizer for a C-like language: keywords by perfect search, operators by longest match, comments, strings. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, WORD, KEYWORD, INTEGER, REAL, STRING, CHARACTER, OPERATOR, ERROR_TOKEN, KINDS };
static const char *const kind_names[] = {"end", "word", "keyword", "integer", "real", "string", "character", "operator", "error"};
static const char *const keywords[] = {"break", "case", "char", "const", "default", "do", "double", "else", "enum", "for", "if", "int", "return", "static", "struct", "switch", "void", "while"};
static const char *const operators[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};

struct token {
    enum kind kind;
    int line, column, length;
    const char *text;
    union {
        long integer;
        double real;
    } value;
};
struct scanner {
    const char *at, *line_start;
    int line;
};

static int by_name(const void *key, const void *element) { return strcmp(key, *(const char *const *)element); }

static int skip_space(struct scanner *s)
{
    for (;;) {
        if (*s->at == '\n') {
            s->at++;
            s->line++;
            s->line_start = s->at;
        } else if (isspace((unsigned char)*s->at))
            s->at++;
        else if (s->at[0] == '/' && s->at[1] == '/')
            while (*s->at && *s->at != '\n')
                s->at++;
        else if (s->at[0] == '/' && s->at[1] == '*') {
            for (s->at += 2; *s->at && !(s->at[0] == '*' && s->at[1] == '/'); s->at++)
                if (*s->at == '\n') {
                    s->line++;
                    s->line_start = s->at + 1;
                }
            if (!*s->at)
                return 0;
            s->at += 2;
        } else
            return 1;
    }
}

static void scan_number(struct scanner *s, struct token *t)
{
    char *end_integer, *end_real;
    t->value.integer = strtol(s->at, &end_integer, 0);
    double real = strtod(s->at, &end_real);
    t->kind = INTEGER;
    s->at = end_integer;
    if (end_real > end_integer) {
        t->kind = REAL;
        t->value.real = real;
        s->at = end_real;
    }
    while (*s->at && strchr("uUlLfF", *s->at))
        s->at++;
}

static void scan_quoted(struct scanner *s, struct token *t)
{
    char quote = *s->at++;
    t->kind = quote == '"' ? STRING : CHARACTER;
    while (*s->at && *s->at != quote && *s->at != '\n') {
        if (*s->at == '\\' && s->at[1])
            s->at++;
        s->at++;
    }
    if (*s->at == quote)
        s->at++;
    else
        t->kind = ERROR_TOKEN;
}

static struct token next(struct scanner *s)
{
    struct token t = {END, 0, 0, 0, NULL, {0}};
    int complete = skip_space(s);
    t.line = s->line, t.column = (int)(s->at - s->line_start) + 1, t.text = s->at;
    if (!complete)
        t.kind = ERROR_TOKEN;
    else if (*s->at == 0)
        return t;
    else if (isalpha((unsigned char)*s->at) || *s->at == '_') {
        while (isalnum((unsigned char)*s->at) || *s->at == '_')
            s->at++;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(s->at - t.text), t.text);
        t.kind = bsearch(name, keywords, sizeof keywords / sizeof *keywords, sizeof *keywords, by_name) ? KEYWORD : WORD;
    } else if (isdigit((unsigned char)*s->at) || (*s->at == '.' && isdigit((unsigned char)s->at[1])))
        scan_number(s, &t);
    else if (*s->at == '"' || *s->at == '\'')
        scan_quoted(s, &t);
    else {
        t.kind = OPERATOR;
        size_t length = 1;
        for (size_t i = 0; i < sizeof operators / sizeof *operators && length == 1; i++)
            if (strncmp(s->at, operators[i], strlen(operators[i])) == 0)
                length = strlen(operators[i]);
        if (!strchr("+-*/%=<>!&|^~?:;,.()[]{}", *s->at))
            t.kind = ERROR_TOKEN;
        s->at += length;
    }
    t.length = (int)(s->at - t.text);
    return t;
}

int main(void)
{
    size_t size = 0, room = 64;
    char *text = malloc(room);
    for (int c; (c = getchar()) != EOF;) {
        if (size + 1 == room)
            text = realloc(text, room *= 2);
        text[size++] = (char)c;
    }
    text[size] = 0;
    struct scanner s = {text, text, 1};
    int count[KINDS] = {0}, depth = 0, deepest = 0;
    for (;;) {
        struct token t = next(&s);
        count[t.kind]++;
        if (t.kind == END)
            break;
        if (t.kind == OPERATOR && t.length == 1) {
            depth += (*t.text == '{' || *t.text == '(') - (*t.text == '}' || *t.text == ')');
            deepest = depth > deepest ? depth : deepest;
        }
        printf("%d:%d %s '%.*s'", t.line, t.column, kind_names[t.kind], t.length, t.text);
        if (t.kind == INTEGER)
            printf(" = %ld", t.value.integer);
        if (t.kind == REAL)
            printf(" = %g", t.value.real);
        putchar('\n');
    }
    for (int k = 0; k < KINDS; k++)
        printf("%s %d%s", kind_names[k], count[k], k + 1 < KINDS ? ", " : "\n");
    printf("depth %d, deepest %d, %d lines\n", depth, deepest, s.line);
    free(text);
    return 0;
}
