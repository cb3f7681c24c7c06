// steam: std=c++20
// no race
/* A binary semaphore of C++20 hands a buffer back and forth. */
#include <cassert>
#include <semaphore>
#include <thread>

static std::binary_semaphore request{0}, reply{0};
static int buffer;

int main()
{
    std::jthread server([] {
        request.acquire();
        buffer *= 2;
        reply.release();
    });
    buffer = 4;
    request.release();
    reply.acquire();
    assert(buffer == 8);
    return 0;
}
