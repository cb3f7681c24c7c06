// race: title 11 13
/* A string is read by one thread while another one appends to it. */
#include <string>
#include <thread>

static std::string title = "a";

int main()
{
    std::thread other([] {
        title += 'b';
    });
    bool long_enough = title.size() > 1;
    other.join();
    return long_enough && title.size() < 2;
}
