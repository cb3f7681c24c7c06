// steam: error=none
/* Bit-fields beside others that were never written, masks, and bits that the rest cannot change. */
#include <stdio.h>
#include <stdlib.h>

struct flags {
    unsigned first : 1, second : 3, third : 7, rest : 21;
};

__attribute__((noipa)) static void set(struct flags *flags) {
    flags->first = 1;
    flags->third = 77;
}

__attribute__((noipa)) static int is_set(const struct flags *flags) {
    return flags->first && flags->third == 77;
}

__attribute__((noipa)) static unsigned low(const unsigned *word) { return *word & 0xff; }

__attribute__((noipa)) static int high(unsigned word) {
    return (word & 0xff) < 0x20 && (word | ~0xffu) != 0;
}

int main(void) {
    struct flags *flags = malloc(sizeof *flags);
    set(flags);
    if (is_set(flags))
        puts("set");
    unsigned *word = malloc(4);
    *(unsigned char *)word = 17;
    if (low(word) == 17 && high(*word))
        puts("low");
    /* A sum whose undefined bits are masked away. */
    unsigned sum = (*word << 8) + 0x1100;
    if ((sum & 0xff) == 0)
        puts("shifted");
    free(word);
    free(flags);
    return 0;
}
