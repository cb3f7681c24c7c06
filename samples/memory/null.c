/* Writes through a null pointer two calls below main. */
#include <stddef.h>

static void store(int *where, int value)
{
    *where = value; /* ERROR */
}

static void forward(int *where)
{
    store(where, 7);
}

int main(void)
{
    forward(NULL);
    return 0;
}

// steam: expect=null-access optimised=none
