// race: main::hits 9 11
/* A lambda that captures all by reference shares a local of main. */
#include <thread>

int main()
{
    int hits = 0;
    std::thread other([&] {
        hits++;
    });
    hits++;
    other.join();
    return hits == 0;
}
