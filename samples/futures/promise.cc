// steam: expect=none std=c++17
/* A value travels from one thread to another through a promise. */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::promise<int> value;
    auto result = value.get_future();
    std::thread worker([&] { value.set_value(42); });
    assert(result.get() == 42);
    worker.join();
    return 0;
}
