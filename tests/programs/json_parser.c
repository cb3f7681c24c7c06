// steam: stdin=@fixtures/sample.json
/* A JSON parser and printer with a tree of values, escapes, path lookup and error positions. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { JNULL, FALSE_, TRUE_, NUMBER, TEXT, ARRAY, OBJECT };
struct value {
    enum type type;
    double number;
    char *text, *key;
    struct value *child, *next;
};
struct parser {
    const char *start, *at, *error;
};

static struct value *parse(struct parser *p, int depth);
static void blanks(struct parser *p)
{
    while (*p->at && strchr(" \t\r\n", *p->at))
        p->at++;
}
static struct value *make(enum type type)
{
    struct value *v = calloc(1, sizeof *v);
    v->type = type;
    return v;
}
static void release(struct value *v)
{
    while (v) {
        struct value *next = v->next;
        release(v->child);
        free(v->text);
        free(v->key);
        free(v);
        v = next;
    }
}
static size_t utf8(unsigned c, char *out)
{
    if (c < 0x80)
        return out[0] = (char)c, 1;
    if (c < 0x800)
        return out[0] = (char)(0xc0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
    if (c < 0x10000)
        return out[0] = (char)(0xe0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63)), out[2] = (char)(0x80 | (c & 63)), 3;
    return out[0] = (char)(0xf0 | c >> 18), out[1] = (char)(0x80 | (c >> 12 & 63)), out[2] = (char)(0x80 | (c >> 6 & 63)), out[3] = (char)(0x80 | (c & 63)), 4;
}
static int hex4(struct parser *p, unsigned *c)
{
    *c = 0;
    for (int i = 0; i < 4; i++, p->at++) {
        if (!isxdigit((unsigned char)*p->at))
            return 0;
        *c = *c * 16 + (unsigned)(isdigit((unsigned char)*p->at) ? *p->at - '0' : (*p->at | 32) - 'a' + 10);
    }
    return 1;
}
static char *string(struct parser *p)
{
    if (*p->at != '"')
        return p->error = "string expected", NULL;
    size_t room = 16, size = 0;
    char *out = malloc(room);
    for (p->at++; *p->at && *p->at != '"';) {
        if (size + 5 > room)
            out = realloc(out, room *= 2);
        if (*p->at != '\\') {
            out[size++] = *p->at++;
            continue;
        }
        p->at++;
        const char *from = "\"\\/bfnrt", *hit = *p->at ? strchr(from, *p->at) : NULL;
        unsigned c, low;
        if (hit) {
            out[size++] = "\"\\/\b\f\n\r\t"[hit - from];
            p->at++;
        } else if (*p->at == 'u' && (p->at++, hex4(p, &c))) {
            if (c >= 0xd800 && c < 0xdc00 && p->at[0] == '\\' && p->at[1] == 'u' && (p->at += 2, hex4(p, &low)))
                c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
            size += utf8(c, out + size);
        } else {
            free(out);
            return p->error = "bad escape", NULL;
        }
    }
    if (*p->at != '"') {
        free(out);
        return p->error = "unterminated string", NULL;
    }
    p->at++;
    out[size] = 0;
    return out;
}
static struct value *container(struct parser *p, int depth)
{
    char close = *p->at == '{' ? '}' : ']';
    struct value *v = make(*p->at++ == '{' ? OBJECT : ARRAY), **tail = &v->child;
    blanks(p);
    if (*p->at == close)
        return p->at++, v;
    for (;;) {
        char *key = NULL;
        blanks(p);
        if (close == '}') {
            key = string(p);
            blanks(p);
            if (!p->error && *p->at++ != ':')
                p->error = "colon expected", p->at--;
        }
        *tail = p->error ? NULL : parse(p, depth + 1);
        if (!*tail) {
            free(key);
            release(v);
            return NULL;
        }
        (*tail)->key = key;
        tail = &(*tail)->next;
        blanks(p);
        if (*p->at == ',')
            p->at++;
        else if (*p->at == close)
            return p->at++, v;
        else {
            p->error = "comma expected";
            release(v);
            return NULL;
        }
    }
}
static struct value *parse(struct parser *p, int depth)
{
    blanks(p);
    if (depth > 50)
        return p->error = "too deep", NULL;
    if (*p->at == '{' || *p->at == '[')
        return container(p, depth);
    if (*p->at == '"') {
        char *text = string(p);
        if (!text)
            return NULL;
        struct value *v = make(TEXT);
        v->text = text;
        return v;
    }
    static const char *const words[] = {"null", "false", "true"};
    for (int i = 0; i < 3; i++)
        if (strncmp(p->at, words[i], strlen(words[i])) == 0)
            return p->at += strlen(words[i]), make((enum type)i);
    if (*p->at == '-' || isdigit((unsigned char)*p->at)) {
        struct value *v = make(NUMBER);
        char *end;
        v->number = strtod(p->at, &end);
        p->at = end;
        return v;
    }
    return p->error = "value expected", NULL;
}

static void print(const struct value *v, int indent)
{
    static const char *const words[] = {"null", "false", "true"};
    if (v->key)
        printf("\"%s\": ", v->key);
    if (v->type <= TRUE_)
        printf("%s", words[v->type]);
    else if (v->type == NUMBER)
        printf("%.15g", v->number);
    else if (v->type == TEXT) {
        putchar('"');
        for (const char *c = v->text; *c; c++)
            (unsigned char)*c < 32 || *c == '"' ? printf("\\x%02x", *c) : putchar(*c);
        putchar('"');
    } else {
        printf(v->type == ARRAY ? "[" : "{");
        for (const struct value *c = v->child; c; c = c->next) {
            printf("%s\n%*s", c == v->child ? "" : ",", indent + 2, "");
            print(c, indent + 2);
        }
        printf("\n%*s%c", indent, "", v->type == ARRAY ? ']' : '}');
    }
}
static const struct value *find(const struct value *v, const char *path)
{
    while (v && *path) {
        size_t n = strcspn(path, "/");
        const struct value *c = v->child;
        if (v->type == ARRAY)
            for (int i = atoi(path); c && i > 0; i--)
                c = c->next;
        else
            while (c && !(strlen(c->key) == n && strncmp(c->key, path, n) == 0))
                c = c->next;
        v = c;
        path += n + (path[n] == '/');
    }
    return v;
}
static void try(const char *text)
{
    struct parser p = {text, text, NULL};
    struct value *v = parse(&p, 0);
    printf("%s -> %s at %d\n", text, p.error ? p.error : "fine", (int)(p.at - p.start));
    release(v);
}

int main(void)
{
    static char text[8192];
    text[fread(text, 1, sizeof text - 1, stdin)] = 0;
    struct parser p = {text, text, NULL};
    struct value *v = parse(&p, 0);
    if (!v) {
        printf("error: %s\n", p.error);
        return 1;
    }
    print(v, 0);
    putchar('\n');
    printf("%g %s %d\n", find(v, "matrix/1/2")->number, find(v, "people/0/name")->text, find(v, "people/7/name") == NULL);
    release(v);
    try("[1, 2");
    try("{\"a\" 1}");
    try("\"\\q\"");
    try("[tru]");
    try("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[");
    try("-12.5e-3");
    return 0;
}
