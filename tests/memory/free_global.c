// steam: error=invalid-free flags=-fno-builtin
/* A default value in static storage is freed like the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char default_name[] = "nobody";
struct user {
    char *name;
};

static void __attribute__((noinline)) forget(struct user *u)
{
    free(u->name); /* ERROR */
    u->name = NULL;
}

int main(void)
{
    struct user known = {strdup("ann")}, unknown = {default_name};
    printf("%s %s\n", known.name, unknown.name);
    forget(&known);
    forget(&unknown);
    return 0;
}
