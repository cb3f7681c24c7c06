// steam: error=none
// Exceptions: the unwinder reads tables and frames, throws away stack, and the thrown objects live on the heap.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

struct guard {
    std::vector<int> owned;
    explicit guard(int n) : owned(static_cast<std::size_t>(n), n) {}
};

static int __attribute__((noinline)) descend(int depth)
{
    guard g(depth + 1);
    char local[200];
    std::snprintf(local, sizeof local, "depth %d", depth);
    if (depth == 0)
        throw std::runtime_error(std::string("bottom after ") + local);
    return descend(depth - 1) + g.owned.back();
}

int main()
{
    std::size_t total = 0;
    for (int i = 0; i < 20; i++)
        try {
            total += static_cast<std::size_t>(descend(i));
        } catch (const std::exception &e) {
            total += std::string(e.what()).size();
        }
    std::printf("%zu\n", total);
    return 0;
}
