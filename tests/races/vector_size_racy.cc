// race: numbers 12 14
/* One thread asks for the size while the other one appends. */
#include <thread>
#include <vector>

static std::vector<int> numbers;

int main()
{
    numbers.reserve(2);
    std::thread other([] {
        numbers.push_back(1);
    });
    std::size_t size = numbers.size();
    other.join();
    return size > 1;
}
