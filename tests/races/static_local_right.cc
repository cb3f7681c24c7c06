// no race
/* A static local of C++: the first caller constructs it, the others wait. */
#include <cassert>
#include <thread>
#include <vector>

static const std::vector<int> &primes()
{
    static const std::vector<int> list{2, 3, 5};
    return list;
}

int main()
{
    std::thread other([] { assert(primes()[1] == 3); });
    assert(primes().size() == 3);
    other.join();
    return 0;
}
