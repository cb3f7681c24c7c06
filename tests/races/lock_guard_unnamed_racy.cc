// race: counter.value 13 13
/* A lock_guard without a name lives until the end of its own statement only. */
#include <mutex>
#include <thread>

struct Counter {
    std::mutex mutex;
    int value = 0;

    void add()
    {
        std::lock_guard<std::mutex>{mutex};
        value++;
    }
};

static Counter counter;

int main()
{
    std::thread other([] { counter.add(); });
    counter.add();
    other.join();
    return counter.value == 0;
}
