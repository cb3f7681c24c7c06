// steam: expect=none
/* Requests of several processes: two children toss a number from 0 to 3, one that was assumed away is
 * not looked at, and the parent gets to see all sums of the others. It ends with the sum. */
#include <sys/wait.h>
#include <unistd.h>

#include "steam.h"

int main(void)
{
    int sum = 0;
    for (int child = 0; child < 2; child++) {
        if (fork() == 0) {
            unsigned value = steam_toss(3);
            steam_assume(value != 1);
            _exit((int)value);
        }
    }
    for (int child = 0; child < 2; child++) {
        int status;
        wait(&status);
        VS_assert(WIFEXITED(status) && WEXITSTATUS(status) != 1);
        sum += WEXITSTATUS(status);
    }
    return sum;
}
