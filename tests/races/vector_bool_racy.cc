// race: heap block of vector_bool_racy.cc:8 10 10
/* The elements of vector<bool> are bits of one word, and no objects of their own. */
#include <thread>
#include <vector>

int main()
{
    std::vector<bool> seen(8);
    auto mark = [&](int number) {
        seen[number] = true;
    };
    std::thread other(mark, 1);
    mark(2);
    other.join();
    return !seen[1] && !seen[2];
}
