// steam: levels=O0,O1
// no race
/* An atomic struct on the heap: its load copies the value through pointers of its own. */
#include <atomic>
#include <memory>
#include <thread>

struct Point {
    short x, y;
};

int main()
{
    auto point = std::make_unique<std::atomic<Point>>(Point{0, 0});
    auto move = [&] {
        Point seen = point->load();
        seen.x++;
        point->store(seen);
    };
    std::thread one(move), other(move);
    one.join();
    other.join();
    return 0;
}
