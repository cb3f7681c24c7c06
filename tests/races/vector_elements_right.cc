// no race
/* Different elements of a vector are different objects. */
#include <cassert>
#include <thread>
#include <vector>

int main()
{
    std::vector<int> squares(4);
    auto fill = [&](int from) {
        for (int i = from; i < from + 2; i++)
            squares[i] = i * i;
    };
    std::thread other(fill, 0);
    fill(2);
    other.join();
    assert(squares[1] + squares[3] == 10);
    return 0;
}
