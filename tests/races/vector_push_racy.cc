// race: heap block of vector_push_racy.cc:16 11 11
// race: numbers 11 11
/* Two threads append to a vector that has room: they share its end, and may write one cell. */
#include <thread>
#include <vector>

static std::vector<int> numbers;

static void append(int number)
{
    numbers.push_back(number);
}

int main()
{
    numbers.reserve(4);
    std::thread other(append, 1);
    append(2);
    other.join();
    return numbers.empty();
}
