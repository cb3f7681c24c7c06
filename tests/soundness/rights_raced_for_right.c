// steam: expect=none with=rights_raced.h,rights.h
/* Each gets a descriptor that works, whichever. */
#include "rights_raced.h"

int main(void)
{
    char byte = first_through();
    assert(byte == '0' || byte == '1');
    return 0;
}
