// steam: expect=assert
/* A child may end before or after its parent wants to be told. */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t told;

static void tell(int signal)
{
    told = signal;
}

int main(void)
{
    struct sigaction action = {.sa_handler = tell, .sa_flags = SA_RESTART};
    if (fork() == 0)
        _exit(0);
    sigaction(SIGCHLD, &action, 0);
    wait(0);
    assert(!told); /* ERROR */
}
