// no race
/* Methods that call each other share a recursive mutex. */
#include <cassert>
#include <mutex>
#include <thread>

class Tree {
public:
    void grow(int by)
    {
        std::lock_guard<std::recursive_mutex> guard(mutex);
        height += by;
    }

    void season()
    {
        std::lock_guard<std::recursive_mutex> guard(mutex);
        grow(1);
        rings++;
    }

    bool sound()
    {
        std::lock_guard<std::recursive_mutex> guard(mutex);
        return height == rings;
    }

private:
    std::recursive_mutex mutex;
    int height = 0, rings = 0;
};

int main()
{
    Tree tree;
    std::thread other([&] { tree.season(); });
    tree.season();
    assert(tree.sound());
    other.join();
    return 0;
}
