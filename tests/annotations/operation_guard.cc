// steam: expect=none
/* C++: the block ends after its guard, also by a return in the middle or an exception. Where it was
 * left, the claim is over. */
#include <mutex>
#include <thread>

#include <steam.h>

namespace {

std::mutex mutex;
int value;

int add(int amount)
{
    STEAM_OPERATION(&value);
    std::lock_guard<std::mutex> guard(mutex);
    if (amount < 0)
        throw amount;
    if (amount == 0)
        return value;
    value += amount;
    return value;
}

void work()
{
    add(1);
    add(0);
    try {
        add(-1);
    } catch (int) {
        add(1);
    }
}

} // namespace

int main()
{
    std::thread thread(work);
    work();
    thread.join();
    VASSERT(value == 4);
    return 0;
}
