// steam: error=uninitialised
#include <stdio.h>
#include <stdlib.h>

struct flags {
    unsigned first : 1, second : 1, third : 1;
};

__attribute__((noipa)) static void set(struct flags *flags) {
    flags->first = 1;
    flags->third = 0;
}

__attribute__((noipa)) static void show(const struct flags *flags) {
    if (flags->second) /* ERROR */
        puts("second");
}

int main(void) {
    struct flags *flags = malloc(sizeof *flags); /* ALLOC */
    set(flags);
    show(flags);
    return 0;
}
