// steam: expect=none std=c++20
/* std::latch: both parts are there before main reads them. */
#include <cassert>
#include <latch>
#include <thread>

int main()
{
    std::latch done(2);
    int parts[2] = {0, 0};
    std::thread worker([&] {
        parts[0] = 1;
        done.count_down();
    });
    parts[1] = 2;
    done.arrive_and_wait();
    assert(parts[0] + parts[1] == 3);
    worker.join();
    return 0;
}
