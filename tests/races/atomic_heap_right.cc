// no race
/* An atomic member of an object on the heap, and plain members that it hands over. */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Task {
    int result = 0;
    std::atomic<bool> done{false};
};

int main()
{
    auto task = std::make_unique<Task>();
    std::thread other([&] {
        task->result = 3;
        task->done.store(true, std::memory_order_release);
    });
    while (!task->done.load(std::memory_order_acquire))
        std::this_thread::yield();
    assert(task->result == 3);
    other.join();
    return 0;
}
