// steam: expect=none std=c++17 flags=-DWRITERS=1,-DLINES=1
/* A logger: writers put lines into a queue under a mutex, one thread takes and keeps them. */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef LINES
#define LINES 1
#endif

class Logger {
public:
    Logger() : thread_([this] { run(); }) {}

    void log(std::string line)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        queue_.push(std::move(line));
        changed_.notify_one();
    }

    size_t close()
    {
        {
            std::lock_guard<std::mutex> guard(mutex_);
            closed_ = true;
        }
        changed_.notify_one();
        thread_.join();
        return written_.size();
    }

private:
    void run()
    {
        std::unique_lock<std::mutex> guard(mutex_);
        for (;;) {
            changed_.wait(guard, [this] { return closed_ || !queue_.empty(); });
            if (queue_.empty())
                return;
            std::string line = std::move(queue_.front());
            queue_.pop();
            guard.unlock();
            written_ += "[log] " + line + "\n";
            guard.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::queue<std::string> queue_;
    bool closed_ = false;
    std::string written_;
    std::thread thread_;
};

int main()
{
    Logger logger;
    std::vector<std::thread> writers;
    for (int w = 0; w < WRITERS; w++)
        writers.emplace_back([&logger, w] {
            for (int i = 0; i < LINES; i++)
                logger.log("writer " + std::to_string(w) + " has come to line " + std::to_string(i));
        });
    for (auto &writer : writers)
        writer.join();
    const size_t length = sizeof "[log] writer 0 has come to line 0";
    assert(logger.close() == length * WRITERS * LINES);
}
