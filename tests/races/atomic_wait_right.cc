// steam: std=c++20
// no race
/* std::atomic::wait and notify_one of C++20. */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> stage{0};
static int data;

int main()
{
    std::jthread other([] {
        data = 9;
        stage.store(1, std::memory_order_release);
        stage.notify_one();
    });
    stage.wait(0, std::memory_order_acquire);
    assert(data == 9);
    return 0;
}
