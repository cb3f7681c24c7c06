// no race
/* The maximum of several threads by a loop of compare-and-exchange. */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> highest{0};

static void offer(int value)
{
    int known = highest.load(std::memory_order_relaxed);
    while (known < value && !highest.compare_exchange_weak(known, value)) {
    }
}

int main()
{
    std::thread other(offer, 5);
    offer(3);
    other.join();
    assert(highest == 5);
    return 0;
}
