// no race
/* The standard streams may be used by several threads at once. */
#include <iostream>
#include <thread>

int main()
{
    std::thread other([] { std::cout << "other\n"; });
    std::cout << "first\n";
    other.join();
    return 0;
}
