// steam: expect=assert with=rights_raced.h,rights.h
/* Who gets which descriptor is not known. */
#include "rights_raced.h"

int main(void)
{
    assert(first_through() == '0'); /* ERROR */
    return 0;
}
