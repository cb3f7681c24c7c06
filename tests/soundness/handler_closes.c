// steam: expect=assert
/* A handler closes a descriptor before its process writes to it; no other process can tell. */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int nowhere;

static void handle(int number)
{
    (void)number;
    close(nowhere);
}

int main(void)
{
    pid_t parent = getpid();
    nowhere = open("/dev/null", O_WRONLY);
    signal(SIGUSR1, handle);
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        _exit(0);
    }
    assert(write(nowhere, "x", 1) == 1); /* ERROR */
    wait(0);
}
