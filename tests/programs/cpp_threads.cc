// steam: levels=O0,O2,Os
// std::thread, mutex, condition_variable, future, promise, async, atomic, call_once, a thread pool; the output does not depend on the schedule.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

class pool {
    std::vector<std::thread> workers;
    std::queue<std::function<void()>> jobs;
    std::mutex lock;
    std::condition_variable wake;
    bool closing = false;

  public:
    explicit pool(int n)
    {
        for (int i = 0; i < n; i++)
            workers.emplace_back([this] {
                for (;;) {
                    std::function<void()> job;
                    {
                        std::unique_lock<std::mutex> hold(lock);
                        wake.wait(hold, [this] { return closing || !jobs.empty(); });
                        if (jobs.empty())
                            return;
                        job = std::move(jobs.front());
                        jobs.pop();
                    }
                    job();
                }
            });
    }
    template <class F> auto submit(F f) -> std::future<decltype(f())>
    {
        auto task = std::make_shared<std::packaged_task<decltype(f())()>>(std::move(f));
        {
            std::lock_guard<std::mutex> hold(lock);
            jobs.push([task] { (*task)(); });
        }
        wake.notify_one();
        return task->get_future();
    }
    ~pool()
    {
        {
            std::lock_guard<std::mutex> hold(lock);
            closing = true;
        }
        wake.notify_all();
        for (auto &w : workers)
            w.join();
    }
};

static long parallel_sum(const std::vector<int> &v, int parts)
{
    std::vector<std::thread> threads;
    std::vector<long> sums(static_cast<std::size_t>(parts));
    std::size_t step = v.size() / static_cast<std::size_t>(parts);
    for (std::size_t i = 0; i < sums.size(); i++)
        threads.emplace_back([&, i] { sums[i] = std::accumulate(v.begin() + long(i * step), i + 1 == sums.size() ? v.end() : v.begin() + long((i + 1) * step), 0L); });
    for (auto &t : threads)
        t.join();
    return std::accumulate(sums.begin(), sums.end(), 0L);
}

int main()
{
    std::vector<int> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 1);
    std::printf("sum %ld\n", parallel_sum(numbers, 4));

    std::atomic<int> hits{0};
    int plain = 0;
    std::mutex guard;
    std::once_flag once;
    int initialised = 0;
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; i++)
            threads.emplace_back([&] {
                std::call_once(once, [&] { initialised++; });
                for (int k = 0; k < 250; k++) {
                    hits.fetch_add(2, std::memory_order_relaxed);
                    std::lock_guard<std::mutex> hold(guard);
                    plain++;
                }
            });
        for (auto &t : threads)
            t.join();
    }
    std::printf("hits %d plain %d initialised %d\n", hits.load(), plain, initialised);

    std::promise<std::string> promise;
    auto future = promise.get_future();
    std::thread producer([&promise] { promise.set_value("kept"); });
    std::printf("promise %s\n", future.get().c_str());
    producer.join();
    auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("inside the task"); });
    try {
        failing.get();
    } catch (const std::runtime_error &e) {
        std::printf("future carries: %s\n", e.what());
    }
    auto lazy = std::async(std::launch::deferred, [&] { return hits.load() * 2; });
    std::printf("deferred %d\n", lazy.get());
    try {
        std::promise<int> dropped;
        auto f = dropped.get_future();
        {
            auto gone = std::move(dropped);
        }
        f.get();
    } catch (const std::future_error &e) {
        std::printf("broken promise %d\n", e.code() == std::future_errc::broken_promise);
    }
    {
        pool p(3);
        std::vector<std::future<int>> results;
        for (int i = 0; i < 10; i++)
            results.push_back(p.submit([i] { return i * i; }));
        for (auto &r : results)
            std::printf("%d ", r.get());
        std::puts("");
    }
    std::mutex left, right;
    long both = 0;
    auto cross = [&](std::mutex &a, std::mutex &b) {
        for (int i = 0; i < 100; i++) {
            std::lock(a, b);
            std::lock_guard<std::mutex> one(a, std::adopt_lock), two(b, std::adopt_lock);
            both++;
        }
    };
    std::thread t1(cross, std::ref(left), std::ref(right)), t2(cross, std::ref(right), std::ref(left));
    t1.join(), t2.join();
    std::recursive_mutex deep;
    std::function<int(int)> recurse = [&](int n) {
        std::lock_guard<std::recursive_mutex> hold(deep);
        return n == 0 ? 0 : 1 + recurse(n - 1);
    };
    std::printf("both %ld recursive %d joinable %d\n", both, recurse(5), t1.joinable());
    return 0;
}
