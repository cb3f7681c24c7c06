// steam: expect=assert with=timer_file.h
/* Who reads a timer without waiting finds that it has expired, or not. */
#include <assert.h>

#include "timer_file.h"

int main(void)
{
    struct itimerspec left;
    int timer = armed_timer(TFD_NONBLOCK, 1, 0);
    int early = expired(timer);
    timerfd_gettime(timer, &left);
    int over = left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0;
    assert(!early || over);
    assert(early || !over); /* ERROR */
    return 0;
}
