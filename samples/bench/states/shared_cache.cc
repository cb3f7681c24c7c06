// steam: expect=none std=c++17 flags=-DREADERS=1
/* A cache of reference-counted entries: readers look one up under a mutex, or load it, and use it without. */
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#ifndef READERS
#define READERS 2
#endif

struct Entry {
    std::string text;
    explicit Entry(int key) : text(std::to_string(key * 1000)) {}
};

class Cache {
public:
    std::shared_ptr<const Entry> get(int key)
    {
        {
            std::lock_guard<std::mutex> guard(mutex_);
            auto found = entries_.find(key);
            if (found != entries_.end())
                return found->second;
        }
        auto entry = std::make_shared<const Entry>(key);
        std::lock_guard<std::mutex> guard(mutex_);
        return entries_.emplace(key, entry).first->second;
    }

    void clear()
    {
        std::map<int, std::shared_ptr<const Entry>> old;
        std::lock_guard<std::mutex> guard(mutex_);
        old.swap(entries_);
    }

private:
    std::mutex mutex_;
    std::map<int, std::shared_ptr<const Entry>> entries_;
};

int main()
{
    Cache cache;
    std::vector<std::thread> readers;
    for (int i = 0; i < READERS; i++)
        readers.emplace_back([&cache] {
            auto entry = cache.get(7);
            assert(entry->text == "7000");
        });
    cache.clear();
    for (auto &reader : readers)
        reader.join();
}
