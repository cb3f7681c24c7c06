// steam: error=heap-out-of-bounds flags=-fno-builtin
/* memset is told the size of another structure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small {
    int id;
    short flags;
    char tag;
};
struct large {
    struct small head;
    char name[20];
};

int main(void)
{
    struct small *s = malloc(sizeof *s); /* ALLOC */
    memset(s, 0, sizeof *s);
    printf("%d\n", s->id);
    memset(s, 0, sizeof(struct large)); /* ERROR */
    printf("%d\n", s->id);
    free(s);
    return 0;
}
