/* stdio on a temporary file: fwrite, fread, fseek, ftell, rewind, ungetc, fgets, append, setvbuf, freopen, binary records. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record {
    int id;
    char name[12];
    double value;
};

static char path[] = "/tmp/file_io_XXXXXX";

static void records(void)
{
    FILE *f = fopen(path, "wb+");
    for (int i = 0; i < 20; i++) {
        struct record r = {i, "", i * 1.5};
        snprintf(r.name, sizeof r.name, "record%d", i);
        fwrite(&r, sizeof r, 1, f);
    }
    printf("size %ld\n", ftell(f));
    for (int i = 19; i >= 0; i -= 6) {
        struct record r;
        fseek(f, i * (long)sizeof r, SEEK_SET);
        size_t got = fread(&r, sizeof r, 1, f);
        printf("%zu %d %s %g; ", got, r.id, r.name, r.value);
    }
    struct record changed = {7, "changed", -1};
    fseek(f, 7 * (long)sizeof changed, SEEK_SET);
    fwrite(&changed, sizeof changed, 1, f);
    fseek(f, -13 * (long)sizeof changed, SEEK_END);
    memset(&changed, 0, sizeof changed);
    size_t got = fread(&changed, sizeof changed, 1, f);
    printf("%zu %s\n", got, changed.name);
    fseek(f, 10, SEEK_END);
    fputc('!', f);
    fseek(f, -11, SEEK_CUR);
    int zeros = 0, c;
    while ((c = fgetc(f)) == 0)
        zeros++;
    printf("hole of %d, then %c, eof %d\n", zeros, c, fgetc(f) == EOF && feof(f));
    fclose(f);
}

static void lines(void)
{
    FILE *f = fopen(path, "w");
    for (int i = 1; i <= 200; i++)
        fprintf(f, "line %d%*s\n", i, i % 50, "");
    fputs("no newline at end", f);
    fclose(f);
    f = fopen(path, "r");
    char text[32], *line = NULL;
    size_t room = 0;
    int pieces = 0;
    while (fgets(text, sizeof text, f))
        pieces++;
    printf("%d pieces, last '%s'\n", pieces, text);
    rewind(f);
    long total = 0;
    ssize_t n;
    int count = 0;
    while ((n = getline(&line, &room, f)) > 0)
        total += n, count++;
    printf("%d lines, %ld bytes, '%s'\n", count, total, line);
    rewind(f);
    n = getdelim(&line, &room, '7', f);
    printf("getdelim %zd\n", n);
    free(line);
    fclose(f);
}

static void pushing_back(void)
{
    FILE *f = fopen(path, "r");
    int c = getc(f);
    ungetc('X', f);
    int pushed = getc(f), after = getc(f);
    printf("%c%c%c ", c, pushed, after);
    fpos_t here;
    fgetpos(f, &here);
    char word[16];
    printf("%d %s ", fscanf(f, "%15s", word), word);
    fsetpos(f, &here);
    printf("%c\n", getc(f));
    fclose(f);
}

static void modes(void)
{
    FILE *f = fopen(path, "w");
    char buffer[16];
    setvbuf(f, buffer, _IOFBF, sizeof buffer);
    fputs("0123456789abcdefghij", f);
    fclose(f);
    f = fopen(path, "a+");
    fputs("APPENDED", f);
    rewind(f);
    char all[64] = "";
    size_t n = fread(all, 1, sizeof all - 1, f);
    printf("%zu %s\n", n, all);
    fclose(f);
    f = fopen(path, "r+");
    fseek(f, 5, SEEK_SET);
    fputs("-----", f);
    fflush(f);
    f = freopen(path, "r", f);
    printf("%s\n", fgets(all, sizeof all, f));
    int refused = fputc('x', f) == EOF;
    printf("write to a reader: %d %d\n", refused, ferror(f) != 0);
    clearerr(f);
    printf("cleared %d\n", ferror(f));
    fclose(f);
    errno = 0;
    FILE *missing = fopen("/tmp/no/such/file", "r");
    printf("missing: %d %s\n", missing == NULL, strerror(errno));
    printf("exclusive: %d\n", fopen(path, "wx") == NULL);
}

int main(void)
{
    int descriptor = mkstemp(path);
    if (descriptor < 0) {
        perror("mkstemp");
        return 1;
    }
    close(descriptor);
    records();
    lines();
    pushing_back();
    modes();
    FILE *t = tmpfile();
    fprintf(t, "%d %s", 42, "temporary");
    rewind(t);
    char word[20];
    int number;
    printf("%d", fscanf(t, "%d %19s", &number, word));
    printf(" %d %s\n", number, word);
    fclose(t);
    printf("remove %d", remove(path));
    printf(", again %d\n", remove(path));
    return 0;
}
