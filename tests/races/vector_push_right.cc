// no race
/* Two threads append to a vector under a lock. */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<int> numbers;

static void append(int number)
{
    std::lock_guard<std::mutex> guard(mutex);
    numbers.push_back(number);
}

int main()
{
    std::thread other(append, 1);
    append(2);
    other.join();
    assert(numbers.size() == 2);
    return 0;
}
