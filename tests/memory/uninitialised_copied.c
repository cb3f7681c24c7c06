// steam: error=uninitialised
/* Copies raise nothing; what was copied is still what was never written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int first, second;
};

__attribute__((noipa)) static void copy(struct pair *to, const struct pair *from) {
    struct pair local = *from;
    memcpy(to, &local, sizeof local);
}

int main(void) {
    struct pair *pair = malloc(sizeof *pair); /* ALLOC */
    struct pair other;
    pair->first = 1;
    copy(&other, pair);
    free(pair);
    if (other.first != 1)
        return 2;
    if (other.second > 5) /* ERROR */
        puts("large");
    return 0;
}
