// steam: expect=none std=c++17 flags=-DWORKERS=2,-DTASKS=1
/* A thread pool: workers take std::function tasks from a queue until it is closed and empty. */
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 2
#endif

class ThreadPool {
public:
    explicit ThreadPool(int workers)
    {
        for (int i = 0; i < workers; i++)
            threads_.emplace_back([this] { work(); });
    }

    ~ThreadPool()
    {
        {
            std::lock_guard<std::mutex> guard(mutex_);
            closed_ = true;
        }
        changed_.notify_all();
        for (auto &thread : threads_)
            thread.join();
    }

    void submit(std::function<void()> task)
    {
        {
            std::lock_guard<std::mutex> guard(mutex_);
            tasks_.push(std::move(task));
        }
        changed_.notify_one();
    }

private:
    void work()
    {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> guard(mutex_);
                changed_.wait(guard, [this] { return closed_ || !tasks_.empty(); });
                if (tasks_.empty())
                    return;
                task = std::move(tasks_.front());
                tasks_.pop();
            }
            task();
        }
    }

    std::vector<std::thread> threads_;
    std::queue<std::function<void()>> tasks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool closed_ = false;
};

int main()
{
    std::mutex lock;
    int sum = 0, expected = 0;
    {
        ThreadPool pool(WORKERS);
        for (int i = 1; i <= TASKS; i++) {
            expected += i;
            pool.submit([&lock, &sum, i] {
                std::lock_guard<std::mutex> guard(lock);
                sum += i;
            });
        }
    }
    assert(sum == expected);
}
