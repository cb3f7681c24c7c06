// steam: expect=deadlock
/* The signal of a timer may come before its process waits for it, and then it waits for ever. */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t fired;

static void handle(int number)
{
    (void)number;
    fired = 1;
}

int main(void)
{
    signal(SIGALRM, handle);
    alarm(1);
    if (!fired)
        pause();
    return 0;
}
