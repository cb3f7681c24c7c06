// steam: expect=assert
/* A handler runs between two reads of what nobody but its own process can see. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int count;

static void handle(int number)
{
    (void)number;
    count++;
}

int main(void)
{
    int parent = getpid();
    signal(SIGUSR1, handle);
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        _exit(0);
    }
    int first = count, second = count;
    assert(first == second); /* ERROR */
    while (wait(NULL) < 0)
        ;
    return 0;
}
