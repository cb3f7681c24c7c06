// no race
/* A log line is put together under a lock. */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::mutex mutex;
static std::string line;

static void append(const char *word)
{
    std::lock_guard<std::mutex> guard(mutex);
    line += word;
}

int main()
{
    std::thread other(append, "left");
    append("right");
    other.join();
    assert(line.size() == 9);
    return 0;
}
