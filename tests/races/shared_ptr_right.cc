// no race
/* Each thread has its own shared_ptr to one object that nobody changes: the counts are atomic. */
#include <cassert>
#include <memory>
#include <thread>

struct Document {
    int pages = 3;
};

int main()
{
    auto document = std::make_shared<const Document>();
    std::thread other([copy = document] { assert(copy->pages == 3); });
    document.reset();
    other.join();
    return 0;
}
