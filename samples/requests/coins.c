// steam: expect=assert
/* VS_toss: the checker tries every value. Three coins of 1, 2 or 5 can make 8. Natively a toss is
 * 0 and an assertion is nothing. */
#include "steam.h"

int main(void)
{
    static const int coins[3] = {1, 2, 5};
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += coins[VS_toss(2)];
    VASSERT(sum != 8); /* ERROR */
    return 0;
}
