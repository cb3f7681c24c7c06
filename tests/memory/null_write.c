// steam: error=null-access
/* A lookup fails and its result is used all the same. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct setting {
    const char *name;
    int value;
};
static struct setting settings[] = {{"width", 80}, {"height", 25}};

static struct setting *__attribute__((noinline)) find(const char *name)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

int main(void)
{
    find("width")->value = 132;
    printf("width %d\n", find("width")->value);
    find("depth")->value = 3; /* ERROR */
    puts("not reached");
    return 0;
}
