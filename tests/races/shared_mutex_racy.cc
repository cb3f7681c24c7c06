// race: cache 14 15
// race: cache 15 15
// race: cache 15 16
/* A cache is filled under the shared lock, which several may hold. */
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static volatile int cache = -1;

static int look()
{
    std::shared_lock<std::shared_mutex> lock(mutex);
    if (cache < 0)
        cache = 7;
    return cache;
}

int main()
{
    int seen = 0;
    std::thread other([&] { seen = look(); });
    int mine = look();
    other.join();
    return seen != mine;
}
