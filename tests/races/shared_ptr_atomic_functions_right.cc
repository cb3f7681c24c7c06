// no race
/* One shared_ptr that both threads only use by std::atomic_load and std::atomic_store. */
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<const int> current = std::make_shared<const int>(1);

int main()
{
    std::thread other([] { std::atomic_store(&current, std::make_shared<const int>(2)); });
    auto mine = std::atomic_load(&current);
    assert(*mine == 1 || *mine == 2);
    other.join();
    return 0;
}
