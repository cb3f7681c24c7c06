// steam: expect=none
/* A static local object: the language makes it once, whoever comes first. */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> made{0};

struct Registry {
    int size;
    Registry() : size(3) { made++; }
};

static Registry &registry()
{
    static Registry instance;
    return instance;
}

int main()
{
    int sizes[2] = {0, 0};
    std::thread first([&] { sizes[0] = registry().size; });
    std::thread second([&] { sizes[1] = registry().size; });
    first.join();
    second.join();
    assert(sizes[0] == 3 && sizes[1] == 3 && made == 1);
    return 0;
}
