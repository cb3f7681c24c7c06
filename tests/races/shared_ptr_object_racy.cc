// race: Document.pages 14 16
/* The counts of a shared_ptr are safe, and the object that it points to is not. */
#include <memory>
#include <thread>

struct Document {
    int pages = 3;
};

int main()
{
    auto document = std::make_shared<Document>();
    std::thread other([copy = document] {
        copy->pages++;
    });
    document->pages++;
    other.join();
    return document->pages < 4;
}
