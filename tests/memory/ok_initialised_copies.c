// steam: error=none
/* Padding and unused members are copied around: by assignment, memcpy, memmove, arguments, returns,
   realloc, qsort and fwrite of what was written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded {
    char letter;
    int number;
    short small;
    double large;
    char text[13];
};

__attribute__((noipa)) static struct padded make(int number) {
    struct padded padded;
    padded.letter = 'a';
    padded.number = number;
    padded.small = 3;
    padded.large = number / 2.0;
    strcpy(padded.text, "text");
    return padded;
}

__attribute__((noipa)) static int judge(struct padded padded) {
    return padded.letter == 'a' && padded.small == 3 && padded.large * 2 == padded.number
        && strcmp(padded.text, "text") == 0;
}

static int compare(const void *left, const void *right) {
    const struct padded *one = left, *other = right;
    return (one->number > other->number) - (one->number < other->number);
}

int main(void) {
    struct padded *all = malloc(2 * sizeof *all);
    int right = 0, room = 2;
    for (int i = 0; i < 20; i++) {
        if (i == room)
            all = realloc(all, (room *= 2) * sizeof *all);
        all[i] = make(i * 7 % 20);
    }
    memmove(all + 1, all, 19 * sizeof *all);
    all[0] = make(100);
    struct padded *copies = malloc(20 * sizeof *copies);
    memcpy(copies, all, 20 * sizeof *copies);
    qsort(copies, 20, sizeof *copies, compare);
    for (int i = 0; i < 20; i++)
        right += judge(copies[i]);
    printf("%d %d %d\n", right, copies[0].number, copies[19].number);
    fwrite(copies[3].text, 1, strlen(copies[3].text), stdout);
    putchar('\n');
    union { double number; unsigned words[2]; } both;
    both.words[0] = 0;
    both.words[1] = 0x3ff00000;
    printf("%.1f\n", both.number);
    free(copies);
    free(all);
    return 0;
}
