// steam: error=uninitialised
#include <stdio.h>
#include <stdlib.h>

__attribute__((noipa)) static int sum(const int *numbers, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        if (numbers[i] > 0) /* ERROR */
            sum += printf("%d\n", i);
    return sum;
}

int main(void) {
    int *numbers = malloc(10 * sizeof *numbers); /* ALLOC */
    for (int i = 0; i < 9; i++)
        numbers[i] = 1;
    return sum(numbers, 10) == 18 ? 0 : 1;
}
