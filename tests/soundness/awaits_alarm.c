// steam: expect=none
/* Who blocks SIGALRM and waits for it is not ended by it. */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    sigset_t set;
    int number = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigprocmask(SIG_BLOCK, &set, 0);
    alarm(1);
    sigwait(&set, &number);
    assert(number == SIGALRM);
    return 0;
}
