// no race
/* A thread_local object is constructed for each thread that uses it. */
#include <cassert>
#include <string>
#include <thread>

static thread_local std::string name = "nobody";

static void introduce(const char *who)
{
    assert(name == "nobody");
    name = who;
    assert(name == who);
}

int main()
{
    std::thread other(introduce, "the other");
    introduce("main");
    other.join();
    return 0;
}
