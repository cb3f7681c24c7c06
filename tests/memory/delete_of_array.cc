// steam: error=mismatched-free
// What new[] made is freed by delete.
#include <cstdio>

static int *__attribute__((noinline)) make(int count)
{
    return new int[count](); /* ALLOC */
}

int main()
{
    int *one = new int(1);
    int *several = make(4);
    std::printf("%d %d\n", *one, several[3]);
    delete one;
    delete several; /* ERROR */
    return 0;
}
