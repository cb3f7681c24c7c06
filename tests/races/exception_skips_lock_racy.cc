// race: errors 16 16
/* The handler of an exception counts after the lock is gone. */
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex mutex;
static int errors;

static void work()
{
    try {
        std::lock_guard<std::mutex> guard(mutex);
        throw std::runtime_error("broken");
    } catch (const std::runtime_error &) {
        errors++;
    }
}

int main()
{
    std::thread other(work);
    work();
    other.join();
    return errors == 0;
}
