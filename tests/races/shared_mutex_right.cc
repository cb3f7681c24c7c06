// no race
/* Many may read under shared_lock; who writes takes the lock alone. */
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int first = 1, second = 1;

static void read()
{
    std::shared_lock<std::shared_mutex> lock(mutex);
    assert(first == second);
}

int main()
{
    std::thread reader(read);
    {
        std::unique_lock<std::shared_mutex> lock(mutex);
        first = second = 2;
    }
    read();
    reader.join();
    return 0;
}
