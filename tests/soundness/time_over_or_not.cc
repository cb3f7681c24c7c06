// steam: expect=none
/* Waits that end by their time, again and again: the program is right, and has an end of states. */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex lock;
static std::condition_variable changed;
static int items;

int main()
{
    std::thread producer([] {
        std::lock_guard<std::mutex> guard(lock);
        items++;
        changed.notify_one();
    });
    std::unique_lock<std::mutex> guard(lock);
    while (!changed.wait_for(guard, 10ms, [] { return items > 0; }))
        assert(items == 0);
    assert(items == 1);
    guard.unlock();
    producer.join();
}
