// steam: expect=assert
/* A timer with an interval may have expired more than once when it is read. */
#include <assert.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    struct itimerspec times = {{1, 0}, {1, 0}};
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &times, 0);
    for (int i = 0; i < 3; i++) {
        uint64_t count;
        read(timer, &count, sizeof count);
        assert(count == 1); /* ERROR */
    }
    return 0;
}
