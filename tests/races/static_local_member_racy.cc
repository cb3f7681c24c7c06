// race: registry::instance.users 18 18
/* The guard of a static local protects its construction, not what is done with it later. */
#include <thread>

struct Registry {
    int users = 0;
    Registry() { users = 1; }
};

static Registry &registry()
{
    static Registry instance;
    return instance;
}

static void enter()
{
    registry().users++;
}

int main()
{
    std::thread other(enter);
    enter();
    other.join();
    return registry().users < 2;
}
