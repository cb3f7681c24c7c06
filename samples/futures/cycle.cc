// steam: expect=deadlock always std=c++17
/* Two threads that each wait for the other's answer before they give their own. */
#include <future>
#include <thread>

int main()
{
    std::promise<int> left, right;
    auto from_left = left.get_future(), from_right = right.get_future();
    std::thread first([&] { left.set_value(from_right.get() + 1); }); /* ERROR */
    std::thread second([&] { right.set_value(from_left.get() + 1); });
    first.join();
    second.join();
    return 0;
}
