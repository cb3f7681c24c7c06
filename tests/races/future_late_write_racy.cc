// race: details 14 17
/* What the thread writes after it has set the promise is not handed over by it. */
#include <future>
#include <thread>

static int details;

int main()
{
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread other([&] {
        promise.set_value(2);
        details = 4;
    });
    future.get();
    int seen = details;
    other.join();
    return seen != 0 && seen != 4;
}
