// no race
/* std::async: get() waits for the end of the task. */
#include <cassert>
#include <future>
#include <numeric>
#include <vector>

int main()
{
    std::vector<int> values{1, 2, 3, 4};
    auto half = std::async(std::launch::async, [&] {
        values[0] = 10;
        return std::accumulate(values.begin(), values.begin() + 2, 0);
    });
    values[3] = 40;
    int rest = values[2] + values[3];
    assert(half.get() + rest == 55);
    return 0;
}
