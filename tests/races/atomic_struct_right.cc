// steam: flags=-latomic
// no race
/* A structure of two words as one atomic. */
#include <atomic>
#include <cassert>
#include <thread>

struct Range {
    int low, high;
};

static std::atomic<Range> range{Range{0, 1}};

int main()
{
    std::thread other([] { range.store(Range{10, 11}); });
    Range seen = range.load();
    assert(seen.high == seen.low + 1);
    other.join();
    return 0;
}
