// no race
/* Each thread has a vector of its own that does not fit into the first piece of its heap. */
#include <thread>
#include <vector>

static void work()
{
    std::vector<int> numbers(50000);
    numbers[3] = 1;
}

int main()
{
    std::thread one(work), other(work);
    one.join();
    other.join();
}
