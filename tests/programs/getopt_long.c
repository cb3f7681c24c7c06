/* getopt and getopt_long over several made-up command lines, permutation, errors to standard error. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int verbose, level;
static const struct option options[] = {
    {"verbose", no_argument, &verbose, 1}, {"brief", no_argument, &verbose, 0}, {"output", required_argument, NULL, 'o'}, {"level", optional_argument, NULL, 'l'},
    {"help", no_argument, NULL, 'h'},      {"very-long-name", no_argument, NULL, 1000}, {NULL, 0, NULL, 0}};

static void parse(const char *text, const char *spec, int use_long)
{
    char copy[256], *arguments[32], *save;
    int count = 0, c, which = 0;
    strcpy(copy, text);
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
        arguments[count++] = word;
    arguments[count] = NULL;
    printf("[%s] %s:\n", text, spec);
    optind = 0;
    verbose = level = 0;
    while ((c = use_long ? getopt_long(count, arguments, spec, options, &which) : getopt(count, arguments, spec)) != -1)
        switch (c) {
        case 0: printf("  long flag %s\n", options[which].name); break;
        case 1: printf("  in order '%s'\n", optarg); break;
        case 'a':
        case 'b': printf("  -%c\n", c); break;
        case 'o': printf("  output '%s'\n", optarg); break;
        case 'l': printf("  level %s\n", optarg ? optarg : "(default)"); break;
        case 'h': printf("  help\n"); break;
        case 1000: printf("  very long\n"); break;
        case ':': printf("  missing argument of %c\n", optopt); break;
        case '?': printf("  unknown %d\n", optopt); break;
        }
    printf("  verbose %d, rest:", verbose);
    for (; optind < count; optind++)
        printf(" %s", arguments[optind]);
    putchar('\n');
}

static void suboptions(const char *text)
{
    static char *const names[] = {"ro", "rw", "size", NULL};
    char copy[64], *at = copy, *value;
    strcpy(copy, text);
    while (*at)
        switch (getsubopt(&at, names, &value)) {
        case 0: printf("ro "); break;
        case 1: printf("rw "); break;
        case 2: printf("size=%s ", value ? value : "none"); break;
        default: printf("unknown(%s) ", value);
        }
    putchar('\n');
}

int main(void)
{
    parse("prog -a -b -o file rest more", "abo:", 0);
    parse("prog -abofile x", "abo:", 0);
    parse("prog x -a y -b z", "abo:", 0);
    parse("prog x -a y -b z", "+abo:", 0);
    parse("prog x -a y -b z", "-abo:", 0);
    parse("prog -a -- -b", "abo:", 0);
    parse("prog -a -o", ":abo:", 0);
    parse("prog -q -a", "abo:", 0);
    parse("prog -o", "abo:", 0);
    parse("prog --verbose --output=name --level --level=5 -l -l7 file --help", "abo:l::h", 1);
    parse("prog --output name --ver --very --brief", "o:", 1);
    parse("prog --nonsense --help=5 --output", "o:h", 1);
    suboptions("rw,size=100,ro,what=1");
    return 0;
}
