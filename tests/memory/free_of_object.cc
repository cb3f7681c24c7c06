// steam: error=mismatched-free
// What new made is freed by free.
#include <cstdio>
#include <cstdlib>

int main()
{
    void *block = std::malloc(4);
    int *volatile object = new int(3); /* ALLOC */
    std::printf("%d\n", *object);
    std::free(block);
    std::free(object); /* ERROR */
    return 0;
}
