// steam: error=heap-out-of-bounds
// operator[] of a vector does not check; the loop compares neighbours one too far.
#include <cstdio>
#include <vector>

static int __attribute__((noinline)) rises(const std::vector<int> &v)
{
    int count = 0;
    const int *values = v.data();
    for (std::size_t i = 0; i < v.size(); i++)
        count += values[i + 1] > values[i]; /* ERROR */
    return count;
}

int main()
{
    std::vector<int> v{3, 1, 4, 1, 5, 9};
    std::printf("%d\n", rises(v));
    return 0;
}
