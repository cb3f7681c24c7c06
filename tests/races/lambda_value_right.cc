// no race
/* A lambda that captures by value has a copy of its own. */
#include <cassert>
#include <thread>

int main()
{
    int hits = 1;
    std::thread other([hits]() mutable {
        hits++;
        assert(hits == 2);
    });
    hits--;
    other.join();
    assert(hits == 0);
    return 0;
}
