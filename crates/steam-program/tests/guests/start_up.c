/* Arguments, environment, auxiliary vector, input, exit handlers. */
#include <elf.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "call.h"

static void first(void) { puts("first handler"); }
static void second(void) { puts("second handler"); }
__attribute__((constructor)) static void constructor(void) { puts("constructor"); }
__attribute__((destructor)) static void destructor(void) { puts("destructor"); }

int main(int argc, char **argv, char **envp)
{
    for (int i = 1; i < argc; i++)
        printf("%d %s\n", i, argv[i]);
    printf("%d\n", argv[argc] == NULL);
    for (char **e = envp; *e; e++)
        puts(*e);
    printf("%s %d\n", getenv("WORD"), getenv("NONE") == NULL);
    printf("stack aligned %d\n", (unsigned)argv % 4 == 0);
    printf("phent %lu page %lu tick %lu base %lu secure %lu\n", getauxval(AT_PHENT),
           getauxval(AT_PAGESZ), getauxval(AT_CLKTCK), getauxval(AT_BASE), getauxval(AT_SECURE));
    printf("platform %s\n", (char *)getauxval(AT_PLATFORM));
    printf("file name %d\n", strcmp((char *)getauxval(AT_EXECFN), argv[0]));
    const Elf32_Phdr *header = (void *)getauxval(AT_PHDR);
    int loads = 0;
    for (unsigned i = 0; i < getauxval(AT_PHNUM); i++)
        loads += header[i].p_type == PT_LOAD;
    printf("%d segments\n", loads);
    printf("random %d\n", getauxval(AT_RANDOM) != 0);
    char line[100];
    while (fgets(line, sizeof line, stdin))
        printf("read %s", line);
    printf("end of input %d\n", feof(stdin));
    fprintf(stderr, "to standard error\n");
    atexit(first);
    atexit(second);
    return 42;
}
