// race: value 20 24
/* The value is written after the reader has been told of it. */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;
static int value;

int main()
{
    std::thread writer([] {
        {
            std::lock_guard<std::mutex> guard(mutex);
            ready = true;
        }
        changed.notify_one();
        value = 5;
    });
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return ready; });
    int seen = value;
    lock.unlock();
    writer.join();
    return seen != 0 && seen != 5;
}
