/* Frees the same block twice, once in each of two owners. */
#include <stdlib.h>
#include <string.h>

struct owner {
    char *name;
};

static void drop(struct owner *owner)
{
    free(owner->name); /* ERROR */
}

int main(void)
{
    struct owner first = {strdup("shared")};
    struct owner second = first;
    drop(&first);
    drop(&second);
    return 0;
}

// steam: expect=double-free
