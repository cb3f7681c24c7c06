// no race
/* A promise hands over what was written before its value was set. */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    int details = 0;
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread other([&] {
        details = 4;
        promise.set_value(2);
    });
    assert(future.get() == 2);
    assert(details == 4);
    other.join();
    return 0;
}
