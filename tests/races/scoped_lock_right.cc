// no race
/* Two mutexes at once by std::scoped_lock, in either order. */
#include <cassert>
#include <mutex>
#include <thread>

struct Shelf {
    std::mutex mutex;
    int books = 2;
};

static void move_book(Shelf &from, Shelf &to)
{
    std::scoped_lock both(from.mutex, to.mutex);
    from.books--;
    to.books++;
}

int main()
{
    Shelf left, right;
    std::thread other([&] { move_book(left, right); });
    move_book(right, left);
    other.join();
    assert(left.books == 2 && right.books == 2);
    return 0;
}
