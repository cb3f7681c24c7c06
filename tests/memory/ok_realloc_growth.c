// steam: error=none
/* A growing array, shrinking back, with every element touched after each step. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t used = 0, room = 0;
    unsigned *v = NULL, sum = 0;
    for (unsigned i = 0; i < 5000; i++) {
        if (used == room) {
            room = room ? room * 3 / 2 + 1 : 1;
            v = realloc(v, room * sizeof *v);
            if (!v)
                return 2;
            v[room - 1] = 0;
        }
        v[used++] = i * 7;
    }
    while (used > 10) {
        used = used * 2 / 3;
        v = realloc(v, used * sizeof *v);
        sum = sum * 31 + v[used - 1];
    }
    char *text = malloc(1);
    for (size_t n = 1; n < 300; n += 7) {
        text = realloc(text, n);
        text[n - 1] = (char)n;
        sum += (unsigned char)text[0];
    }
    free(text);
    free(v);
    printf("%u\n", sum);
    return 0;
}
