// steam: std=c++20
// race in doubt: histogram[1] 11 17
/* One place writes the cell directly. */
#include <atomic>
#include <thread>

static int histogram[2];

static void count(int cell)
{
    std::atomic_ref<int>(histogram[cell]).fetch_add(1);
}

int main()
{
    std::thread other([] { count(1); });
    histogram[1] = 10;
    other.join();
    return histogram[1] < 10;
}
