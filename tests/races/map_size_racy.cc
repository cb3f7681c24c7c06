// race: words 11 13
/* The size of a map is read while another thread inserts. */
#include <map>
#include <thread>

static std::map<int, int> words;

int main()
{
    std::thread other([] {
        words.emplace(1, 1);
    });
    bool none = words.size() == 0;
    other.join();
    return none && words.empty();
}
