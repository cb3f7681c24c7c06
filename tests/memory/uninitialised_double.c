// steam: error=uninitialised
#include <stdio.h>
#include <stdlib.h>

__attribute__((noipa)) static void show(const double *numbers) {
    if (numbers[1] * 2 > numbers[0]) /* ERROR */
        puts("larger");
}

int main(void) {
    double *numbers = malloc(2 * sizeof *numbers); /* ALLOC */
    numbers[0] = 1;
    show(numbers);
    return 0;
}
