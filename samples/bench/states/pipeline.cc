// steam: expect=none std=c++17 flags=-DSTAGES=2,-DITEMS=2
/* A pipeline: each stage takes a record from the queue before it, changes it and puts it into the next. */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#ifndef STAGES
#define STAGES 3
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

template <typename T> class Channel {
public:
    void send(T item)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        items_.push_back(std::move(item));
        changed_.notify_one();
    }

    T receive()
    {
        std::unique_lock<std::mutex> guard(mutex_);
        changed_.wait(guard, [this] { return !items_.empty(); });
        T item = std::move(items_.front());
        items_.pop_front();
        return item;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<T> items_;
};

struct Record {
    int value;
    std::vector<int> history;
};
using Item = std::unique_ptr<Record>;

static void stage(int number, Channel<Item> &from, Channel<Item> &to)
{
    while (Item item = from.receive()) {
        item->value += 1;
        item->history.push_back(number);
        to.send(std::move(item));
    }
    to.send(nullptr);
}

int main()
{
    Channel<Item> channels[STAGES + 1];
    std::vector<std::thread> threads;
    for (int i = 0; i < STAGES; i++)
        threads.emplace_back(stage, i, std::ref(channels[i]), std::ref(channels[i + 1]));
    for (int i = 0; i < ITEMS; i++)
        channels[0].send(std::make_unique<Record>(Record{i, {}}));
    channels[0].send(nullptr);
    for (int i = 0; i < ITEMS; i++) {
        Item item = channels[STAGES].receive();
        assert(item->value == i + STAGES);
        assert(item->history.size() == STAGES);
    }
    for (auto &thread : threads)
        thread.join();
}
