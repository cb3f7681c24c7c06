// steam: error=uninitialised
#include <stdio.h>

__attribute__((noipa)) static void set(int *place, int wanted) {
    if (wanted)
        *place = 1;
}

int main(void) {
    int number;
    set(&number, 0);
    printf("%d\n", number); /* ERROR */
    return 0;
}
