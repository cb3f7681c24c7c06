// steam: expect=deadlock std=c++20
/* The sender forgets to notify: whoever went to sleep before the store sleeps on. */
#include <atomic>
#include <thread>

int main()
{
    std::atomic<int> ready{0};
    std::thread receiver([&] {
        ready.wait(0); /* ERROR */
    });
    ready.store(1);
    receiver.join();
    return 0;
}
