// no race
/* A vector of atomics: its size stays, its elements count. */
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main()
{
    std::vector<std::atomic<int>> votes(3);
    auto vote = [&](int first, int second) {
        votes[first]++;
        votes[second].fetch_add(1, std::memory_order_relaxed);
    };
    std::thread other(vote, 1, 2);
    vote(1, 0);
    other.join();
    assert(votes[0] == 1 && votes[1] == 2 && votes[2] == 1);
    return 0;
}
