// steam: std=c++20
// no race
/* Plain cells of an array that are accessed by std::atomic_ref while threads run. */
#include <atomic>
#include <cassert>
#include <thread>

static int histogram[2];

static void count(int cell)
{
    std::atomic_ref<int>(histogram[cell]).fetch_add(1, std::memory_order_relaxed);
}

int main()
{
    std::thread other([] { count(0); });
    count(0);
    count(1);
    other.join();
    assert(histogram[0] == 2 && histogram[1] == 1);
    return 0;
}
