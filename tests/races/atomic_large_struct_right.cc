// steam: flags=-latomic
// no race
/* A structure that is too large for the machine's own atomics: the library takes a lock. */
#include <atomic>
#include <cassert>
#include <thread>

struct Point {
    int x, y, z;
};

static std::atomic<Point> position{Point{1, 1, 1}};

int main()
{
    std::thread other([] { position.store(Point{2, 2, 2}); });
    Point seen = position.load();
    assert(seen.x == seen.y && seen.y == seen.z);
    other.join();
    return 0;
}
