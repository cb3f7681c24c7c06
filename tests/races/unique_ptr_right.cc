// no race
/* A unique_ptr moves from thread to thread through a queue with a lock, and its object with it. */
#include <cassert>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

static std::mutex mutex;
static std::queue<std::unique_ptr<int>> queue;

int main()
{
    std::thread other([] {
        std::unique_ptr<int> item;
        {
            std::lock_guard<std::mutex> guard(mutex);
            if (!queue.empty()) {
                item = std::move(queue.front());
                queue.pop();
            }
        }
        if (item)
            assert(++*item == 2);
    });
    auto item = std::make_unique<int>(0);
    ++*item;
    {
        std::lock_guard<std::mutex> guard(mutex);
        queue.push(std::move(item));
    }
    other.join();
    return 0;
}
