// no race
/* An exception leaves its thread as an exception_ptr and is thrown again after the join. */
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

int main()
{
    std::exception_ptr caught;
    std::thread other([&] {
        try {
            throw std::runtime_error("no more");
        } catch (...) {
            caught = std::current_exception();
        }
    });
    other.join();
    try {
        std::rethrow_exception(caught);
    } catch (const std::runtime_error &) {
        return 0;
    }
    assert(false);
}
