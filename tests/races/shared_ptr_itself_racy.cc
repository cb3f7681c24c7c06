// race: current 14 16
/* Two threads use one and the same shared_ptr: to assign it is to write two words. Both objects are
 * kept alive by others, so that nothing worse happens. */
#include <memory>
#include <thread>

static auto first = std::make_shared<int>(1);
static auto second = std::make_shared<int>(2);
static std::shared_ptr<int> current = first;

int main()
{
    std::thread other([] {
        current.swap(second);
    });
    int *seen = current.get();
    other.join();
    return seen == nullptr;
}
