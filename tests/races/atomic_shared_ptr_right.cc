// steam: std=c++20
// no race
/* A pointer that is exchanged by std::atomic<std::shared_ptr> while another thread uses it. */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<const int>> current{std::make_shared<const int>(1)};

int main()
{
    std::thread other([] { current.store(std::make_shared<const int>(2)); });
    std::shared_ptr<const int> mine = current.load();
    assert(*mine == 1 || *mine == 2);
    other.join();
    return 0;
}
