// no race
/* A class that guards its member by a mutex of its own. */
#include <cassert>
#include <mutex>
#include <thread>

class Counter {
public:
    void add(int amount)
    {
        std::lock_guard<std::mutex> guard(mutex);
        value += amount;
    }

    int get() const
    {
        std::lock_guard<std::mutex> guard(mutex);
        return value;
    }

private:
    mutable std::mutex mutex;
    int value = 0;
};

int main()
{
    Counter counter;
    std::thread other([&] { counter.add(2); });
    counter.add(1);
    assert(counter.get() >= 1);
    other.join();
    assert(counter.get() == 3);
    return 0;
}
