// steam: args=first,--flag=value,with\sblank,-x,123 env=HOME=/home/guest,EMPTY=,PATH=/bin:/usr/bin stdin=line\sone\nline\stwo\n
/* argv, the environment, standard input line by line, getenv/setenv/putenv/unsetenv. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void environment(const char *label)
{
    int count = 0;
    while (environ && environ[count])
        count++;
    char **copy = malloc(sizeof *copy * (size_t)(count + 1));
    memcpy(copy, environ, sizeof *copy * (size_t)count);
    qsort(copy, (size_t)count, sizeof *copy, by_text);
    printf("%s (%d):", label, count);
    for (int i = 0; i < count; i++)
        printf(" %s", copy[i]);
    putchar('\n');
    free(copy);
}
static void show(const char *name)
{
    const char *value = getenv(name);
    printf("%s=%s\n", name, value ? value : "(unset)");
}

int main(int argc, char **argv)
{
    printf("%d arguments, name not empty %d, ends with null %d\n", argc, argv[0][0] != 0, argv[argc] == NULL);
    for (int i = 1; i < argc; i++)
        printf("%d: '%s' (%zu)\n", i, argv[i], strlen(argv[i]));
    environment("start");
    show("HOME");
    show("EMPTY");
    show("MISSING");
    setenv("ADDED", "one", 1);
    setenv("ADDED", "two", 0);
    setenv("HOME", "/changed", 1);
    static char put[] = "PUT=initial";
    putenv(put);
    strcpy(put + 4, "mutated");
    unsetenv("EMPTY");
    environment("changed");
    printf("bad name: %d %d\n", setenv("A=B", "x", 1), errno == EINVAL);
    show("PUT");
    clearenv();
    show("HOME");
    printf("environ after clearenv: %d\n", environ == NULL);

    char line[64];
    int number = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        printf("%d <%s>\n", ++number, line);
    }
    printf("tty %d, eof %d\n", isatty(0), feof(stdin));
    fprintf(stderr, "to standard error: %d lines\n", number);
    char *end;
    long value = strtol(argv[argc - 1], &end, 10);
    printf("last as a number %ld\n", value + (*end != 0));
    return 0;
}
