// no race
/* A packaged task is put into a queue with a lock; a worker runs it. */
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>

class Worker {
public:
    Worker() : thread([this] { run(); }) {}

    ~Worker() { thread.join(); }

    std::future<int> submit(int input)
    {
        std::packaged_task<int()> task([input] { return input * 2; });
        auto future = task.get_future();
        std::lock_guard<std::mutex> guard(mutex);
        tasks.push(std::move(task));
        added.notify_one();
        return future;
    }

private:
    void run()
    {
        std::unique_lock<std::mutex> lock(mutex);
        added.wait(lock, [this] { return !tasks.empty(); });
        auto task = std::move(tasks.front());
        tasks.pop();
        lock.unlock();
        task();
    }

    std::mutex mutex;
    std::condition_variable added;
    std::queue<std::packaged_task<int()>> tasks;
    std::thread thread;
};

int main()
{
    Worker worker;
    assert(worker.submit(21).get() == 42);
    return 0;
}
