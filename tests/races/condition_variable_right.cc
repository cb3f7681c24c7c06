// no race
/* A value is handed over with std::condition_variable. */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static std::optional<int> letter;

int main()
{
    std::thread writer([] {
        std::lock_guard<std::mutex> guard(mutex);
        letter = 5;
        changed.notify_one();
    });
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return letter.has_value(); });
    assert(*letter == 5);
    lock.unlock();
    writer.join();
    return 0;
}
