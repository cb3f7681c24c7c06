// steam: expect=assert
/* A handler uses a descriptor before its process closes it again; no other process can tell. */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int nowhere = -1;

static void handle(int number)
{
    (void)number;
    assert(write(nowhere, "x", 1) < 0); /* ERROR */
}

int main(void)
{
    pid_t parent = getpid();
    signal(SIGUSR1, handle);
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        _exit(0);
    }
    nowhere = open("/dev/null", O_WRONLY);
    close(nowhere);
    wait(0);
}
