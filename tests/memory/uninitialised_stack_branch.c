// steam: error=uninitialised
#include <stdio.h>

__attribute__((noipa)) static void set(int *place, int wanted) {
    if (wanted)
        *place = 1;
}

int main(void) {
    int flag;
    set(&flag, 0);
    if (flag) /* ERROR */
        puts("set");
    return 0;
}
