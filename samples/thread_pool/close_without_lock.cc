// steam: expect=deadlock std=c++17
/* A thread pool that is closed without its mutex: a worker that has just seen it open goes to sleep
 * after the notification, and the destructor waits for it for ever. */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
public:
    explicit Pool(int workers)
    {
        for (int i = 0; i < workers; i++)
            threads.emplace_back([this] { work(); });
    }

    void submit(std::function<void()> task)
    {
        {
            std::lock_guard<std::mutex> guard(mutex);
            tasks.push(std::move(task));
        }
        changed.notify_one();
    }

    ~Pool()
    {
        closed = true;
        changed.notify_all();
        for (auto &thread : threads)
            thread.join(); /* ERROR */
    }

private:
    std::mutex mutex;
    std::condition_variable changed;
    std::queue<std::function<void()>> tasks;
    std::atomic<bool> closed{false};
    std::vector<std::thread> threads;

    void work()
    {
        for (;;) {
            std::unique_lock<std::mutex> guard(mutex);
            changed.wait(guard, [this] { return closed || !tasks.empty(); });
            if (tasks.empty())
                return;
            auto task = std::move(tasks.front());
            tasks.pop();
            guard.unlock();
            task();
        }
    }
};

int main()
{
    std::mutex lock;
    int sum = 0;
    {
        Pool pool(2);
        for (int i = 1; i <= 2; i++)
            pool.submit([&, i] {
                std::lock_guard<std::mutex> guard(lock);
                sum += i;
            });
    }
    assert(sum == 3);
    return 0;
}
