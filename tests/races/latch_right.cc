// steam: std=c++20
// no race
/* A latch of C++20: main reads once both have counted down. */
#include <cassert>
#include <latch>
#include <thread>

int main()
{
    int parts[2] = {};
    std::latch ready(2);
    std::thread first([&] {
        parts[0] = 1;
        ready.count_down();
    });
    std::thread second([&] {
        parts[1] = 2;
        ready.count_down();
    });
    ready.wait();
    assert(parts[0] + parts[1] == 3);
    first.join();
    second.join();
    return 0;
}
