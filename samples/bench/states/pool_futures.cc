// steam: expect=none std=c++17 flags=-DWORKERS=1,-DTASKS=1
/* A thread pool whose tasks are packaged_tasks with futures; each notes its result in a map under a mutex. */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 2
#endif

static std::mutex mutex;
static std::condition_variable changed;
static std::deque<std::packaged_task<int()>> tasks;
static bool closed;

static std::mutex results_mutex;
static std::map<int, int> results;

static void work()
{
    for (;;) {
        std::packaged_task<int()> task;
        {
            std::unique_lock<std::mutex> guard(mutex);
            changed.wait(guard, [] { return closed || !tasks.empty(); });
            if (tasks.empty())
                return;
            task = std::move(tasks.front());
            tasks.pop_front();
        }
        task();
    }
}

static int square(int number)
{
    std::lock_guard<std::mutex> guard(results_mutex);
    return results[number] = number * number;
}

int main()
{
    std::vector<std::thread> workers;
    for (int i = 0; i < WORKERS; i++)
        workers.emplace_back(work);
    std::vector<std::future<int>> futures;
    for (int i = 1; i <= TASKS; i++) {
        std::packaged_task<int()> task([i] { return square(i); });
        futures.push_back(task.get_future());
        std::lock_guard<std::mutex> guard(mutex);
        tasks.push_back(std::move(task));
        changed.notify_one();
    }
    for (int i = 1; i <= TASKS; i++)
        assert(futures[i - 1].get() == i * i);
    {
        std::lock_guard<std::mutex> guard(mutex);
        closed = true;
    }
    changed.notify_all();
    for (auto &worker : workers)
        worker.join();
    assert(results.size() == TASKS);
}
