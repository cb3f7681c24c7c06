// steam: error=unmapped-access
/* An index that was never checked lands far outside of a global table. */
#include <stdio.h>
#include <stdlib.h>

static int table[100];

static int __attribute__((noinline)) lookup(const char *text)
{
    int index = atoi(text);
    return table[index]; /* ERROR */
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        table[i] = i * i;
    printf("%d\n", lookup("9"));
    printf("%d\n", lookup("-20000000"));
    return 0;
}
