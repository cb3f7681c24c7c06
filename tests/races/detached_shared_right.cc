// no race
/* A detached thread keeps its own share of what it works on. */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Progress {
    int percent = 0;
    std::atomic<bool> done{false};
};

int main()
{
    auto progress = std::make_shared<Progress>();
    std::thread([progress] {
        progress->percent = 100;
        progress->done = true;
    }).detach();
    if (progress->done)
        assert(progress->percent == 100);
    return 0;
}
