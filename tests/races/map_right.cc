// no race
/* A map with a lock: one thread inserts, the other one looks for a key. */
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex mutex;
static std::map<std::string, int> ages{{"ann", 30}};

int main()
{
    std::thread other([] {
        std::lock_guard<std::mutex> guard(mutex);
        ages["bob"] = 40;
    });
    {
        std::lock_guard<std::mutex> guard(mutex);
        auto found = ages.find("bob");
        assert(found == ages.end() || found->second == 40);
    }
    other.join();
    return 0;
}
