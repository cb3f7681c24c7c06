// steam: expect=none
/* steam_assume: what does not fulfil the assumption is not looked at. */
#include "steam.h"

int main(void)
{
    int low = VS_toss(4), high = VS_toss(4);
    steam_assume(low + high == 4 && low <= high);
    VASSERT(low <= 2 && high >= 2);
    return 0;
}
