// steam: expect=assert
/* A handler that was left by a jump is over: the next signal of the timer may come at any moment, too. */
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf place;
static volatile sig_atomic_t count;

static void leave(int number)
{
    siglongjmp(place, number);
}

static void handle(int number)
{
    (void)number;
    count++;
}

int main(void)
{
    signal(SIGALRM, leave);
    if (sigsetjmp(place, 1) == 0) {
        alarm(1);
        for (;;)
            pause();
    }
    signal(SIGALRM, handle);
    alarm(1);
    int first = count, second = count;
    assert(first == second); /* ERROR */
    return 0;
}
