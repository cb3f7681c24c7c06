// no race
/* A unique_lock that is let go while the slow part runs, and taken again. */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int jobs = 2, done;

static void work()
{
    std::unique_lock<std::mutex> lock(mutex);
    while (jobs > 0) {
        int job = jobs--;
        lock.unlock();
        int result = job / job;
        lock.lock();
        done += result;
    }
}

int main()
{
    std::thread other(work);
    work();
    other.join();
    assert(done == 2);
    return 0;
}
