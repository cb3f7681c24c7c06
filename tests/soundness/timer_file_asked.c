// steam: expect=assert
/* Who reads a timer without waiting finds that it has expired, or not. */
#include <assert.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    struct itimerspec times = {{0, 0}, {1, 0}}, left;
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    timerfd_settime(timer, 0, &times, 0);
    uint64_t count;
    int early = read(timer, &count, sizeof count) == 8;
    timerfd_gettime(timer, &left);
    int over = left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0;
    assert(!early || over);
    assert(early || !over); /* ERROR */
    return 0;
}
