// steam: expect=assert with=timer_file.h
/* A timer with an interval may have expired more than once when it is read. */
#include <assert.h>

#include "timer_file.h"

int main(void)
{
    int timer = armed_timer(0, 1, 1);
    for (int i = 0; i < 3; i++)
        assert(expired(timer) == 1); /* ERROR */
    return 0;
}
