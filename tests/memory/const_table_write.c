// steam: error=read-only-write
/* A constant table is changed through a cast. */
#include <stdio.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static void __attribute__((noinline)) set(int *table, int month, int value)
{
    table[month] = value; /* ERROR */
}

int main(void)
{
    int own[12] = {0};
    set(own, 1, 29);
    printf("%d %d\n", own[1], days[1]);
    set((int *)days, 1, 29);
    printf("%d\n", days[1]);
    return 0;
}
