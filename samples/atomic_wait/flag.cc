// steam: expect=none std=c++20
/* std::atomic wait and notify: a value is handed over without a mutex. */
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
    std::atomic<int> ready{0};
    int message = 0;
    std::thread sender([&] {
        message = 7;
        ready.store(1);
        ready.notify_one();
    });
    ready.wait(0);
    assert(message == 7);
    sender.join();
    return 0;
}
