// steam: expect=assert
/* After a wait whose time is over, wait_for reads the clock to see whether it is: each time in a loop. */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex lock;
static std::condition_variable changed;
static bool stop;
static int ticks;

static void tick()
{
    std::unique_lock<std::mutex> guard(lock);
    while (!stop)
        if (changed.wait_for(guard, 100ms) == std::cv_status::timeout)
            ticks = (ticks + 1) % 5;
}

int main()
{
    std::thread ticker(tick);
    {
        std::lock_guard<std::mutex> guard(lock);
        assert(ticks != 4); /* ERROR */
        stop = true;
        changed.notify_one();
    }
    ticker.join();
}
