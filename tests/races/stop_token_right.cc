// steam: std=c++20
// no race
/* A jthread is asked to stop by its token. */
#include <cassert>
#include <stop_token>
#include <thread>

int main()
{
    int rounds = 0;
    {
        std::jthread worker([&](std::stop_token stop) {
            rounds = 1;
            while (!stop.stop_requested())
                std::this_thread::yield();
        });
    }
    assert(rounds == 1);
    return 0;
}
