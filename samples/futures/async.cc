// steam: expect=none std=c++17
/* Two halves of a sum, each by std::async. */
#include <cassert>
#include <future>
#include <numeric>
#include <vector>

int main()
{
    const std::vector<int> values{1, 2, 3, 4};
    auto half = [&](int from, int to) {
        return std::accumulate(values.begin() + from, values.begin() + to, 0);
    };
    auto low = std::async(std::launch::async, half, 0, 2);
    auto high = std::async(std::launch::async, half, 2, 4);
    assert(low.get() + high.get() == 10);
    return 0;
}
