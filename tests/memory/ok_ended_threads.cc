// steam: error=none flags=-std=c++17
/* What threads leave behind rightly: results on the heap, in statics and of futures, exceptions that go on
 * elsewhere, destructors of thread-local objects, stacks that other threads get afterwards. */
#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <condition_variable>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

static std::mutex mutex;
static int destroyed;

struct Noted {
    int value = 0;
    ~Noted()
    {
        std::lock_guard<std::mutex> guard(mutex);
        destroyed += value;
    }
};
static thread_local Noted noted;

class Pool {
public:
    explicit Pool(int size)
    {
        for (int i = 0; i < size; i++)
            threads.emplace_back([this] { run(); });
    }
    ~Pool()
    {
        {
            std::lock_guard<std::mutex> guard(lock);
            closed = true;
        }
        changed.notify_all();
        for (auto &thread : threads)
            thread.join();
    }
    template <typename F> auto submit(F f) -> std::future<decltype(f())>
    {
        auto task = std::make_shared<std::packaged_task<decltype(f())()>>(std::move(f));
        std::lock_guard<std::mutex> guard(lock);
        tasks.push([task] { (*task)(); });
        changed.notify_one();
        return task->get_future();
    }

private:
    void run()
    {
        for (;;) {
            std::unique_lock<std::mutex> guard(lock);
            changed.wait(guard, [this] { return closed || !tasks.empty(); });
            if (tasks.empty())
                return;
            auto task = std::move(tasks.front());
            tasks.pop();
            guard.unlock();
            noted.value++;
            task();
        }
    }
    std::mutex lock;
    std::condition_variable changed;
    std::queue<std::function<void()>> tasks;
    std::vector<std::thread> threads;
    bool closed = false;
};

int main()
{
    {
        Pool pool(3);
        std::vector<std::future<std::string>> answers;
        for (int i = 0; i < 6; i++)
            answers.push_back(pool.submit([i]() -> std::string {
                if (i == 4)
                    throw std::runtime_error("four");
                return std::string(40, 'a' + i);
            }));
        for (auto &answer : answers) {
            try {
                std::puts(answer.get().c_str());
            } catch (const std::exception &error) {
                std::puts(error.what());
            }
        }
    }
    std::printf("%d\n", destroyed);

    std::exception_ptr failure;
    std::thread([&failure] {
        try {
            throw std::logic_error("kept");
        } catch (...) {
            failure = std::current_exception();
        }
    }).join();
    try {
        std::rethrow_exception(failure);
    } catch (const std::logic_error &error) {
        std::puts(error.what());
    }

    std::atomic<int> left{5};
    for (int i = 0; i < 5; i++) {
        std::thread([&left] {
            char room[5000];
            for (char &byte : room)
                byte = 1;
            noted.value = room[4999];
            left--;
        }).detach();
        usleep(1000);
    }
    auto remembered = [] {
        std::lock_guard<std::mutex> guard(mutex);
        return destroyed;
    };
    while (left > 0 || remembered() < 11)
        usleep(1000);
    std::printf("%d\n", remembered());
    std::puts(std::async(std::launch::async, [] { return std::string("async"); }).get().c_str());
}
