// no race
// race by C11 only: result 14 19
/* A result behind a relaxed flag of std::atomic. No race side by side under sequential consistency;
 * a race by the memory model of C++. */
#include <atomic>
#include <thread>

static std::atomic<bool> done{false};
static int result;

int main()
{
    std::thread other([] {
        result = 6;
        done.store(true, std::memory_order_relaxed);
    });
    while (!done.load(std::memory_order_relaxed))
        std::this_thread::yield();
    int seen = result;
    other.join();
    return seen != 6;
}
