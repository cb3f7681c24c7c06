// steam: expect=assert
/* The signal of a timer may come between any two reads of a process that is alone. */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t count;

static void handle(int number)
{
    (void)number;
    count++;
}

int main(void)
{
    signal(SIGALRM, handle);
    alarm(1);
    int first = count, second = count;
    assert(first == second); /* ERROR */
    return 0;
}
