// race: total 12 18
/* A deferred lock that is never taken. */
#include <mutex>
#include <thread>

static std::mutex mutex;
static int total;

static void add_locked()
{
    std::unique_lock<std::mutex> lock(mutex);
    total += 1;
}

static void add_deferred()
{
    std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
    total += 2;
}

int main()
{
    std::thread first(add_locked), second(add_deferred);
    first.join();
    second.join();
    return total == 0;
}
