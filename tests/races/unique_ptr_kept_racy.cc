// race: heap block of unique_ptr_kept_racy.cc:8 11 14
/* The old owner has kept a plain pointer to what it moved away. */
#include <memory>
#include <thread>

int main()
{
    auto value = std::make_unique<int>(1);
    int *kept = value.get();
    std::thread other([mine = std::move(value)]() mutable {
        *mine += 1;
        mine.release();
    });
    int seen = *kept;
    other.join();
    delete kept;
    return seen < 1;
}
