// no race
/* std::call_once. */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::once_flag once;
static std::string greeting;

static void greet()
{
    std::call_once(once, [] { greeting = "good morning"; });
    assert(greeting.size() == 12);
}

int main()
{
    std::thread other(greet);
    greet();
    other.join();
    return 0;
}
