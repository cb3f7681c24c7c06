// steam: error=mismatched-free
// A string of the C library is freed by delete[].
#include <cstdio>
#include <cstring>

int main()
{
    char *text = strdup("text"); /* ALLOC */
    std::puts(text);
    delete[] text; /* ERROR */
    return 0;
}
