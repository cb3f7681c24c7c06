// steam: std=c++20
// no race
/* Two threads meet at a barrier, whose last one sums up. */
#include <barrier>
#include <thread>

static int parts[2], sum;

static void add() noexcept
{
    sum = parts[0] + parts[1];
}

static std::barrier meeting(2, add);

int main()
{
    std::thread other([] {
        parts[0] = 1;
        meeting.arrive_and_wait();
    });
    parts[1] = 2;
    meeting.arrive_and_wait();
    int seen = sum;
    other.join();
    return seen != 3;
}
