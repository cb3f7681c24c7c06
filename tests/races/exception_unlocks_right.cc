// no race
/* An exception unwinds the stack, and with it the lock. */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int level;

static void raise_level(int limit)
{
    std::lock_guard<std::mutex> guard(mutex);
    if (++level >= limit)
        throw level;
}

int main()
{
    std::thread other([] {
        try {
            raise_level(1);
        } catch (int) {
        }
    });
    raise_level(5);
    other.join();
    assert(level == 2);
    return 0;
}
