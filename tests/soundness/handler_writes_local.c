// steam: expect=assert
/* A handler writes to a variable on the stack of what it interrupts. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *place;

static void handle(int number)
{
    (void)number;
    *place = 1;
}

int main(void)
{
    volatile int local = 0;
    int parent = getpid();
    place = &local;
    signal(SIGUSR1, handle);
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        _exit(0);
    }
    int first = local, second = local;
    assert(first == second); /* ERROR */
    while (wait(NULL) < 0)
        ;
    return 0;
}
