// steam: expect=none
/* Who changes a shared lock into an exclusive one gives up the shared one: nobody waits for ever. */
#include <assert.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int child = fork() == 0;
    int file = open("/tmp/steam-lock", O_CREAT | O_RDWR, 0600);
    assert(flock(file, LOCK_SH) == 0);
    assert(flock(file, LOCK_EX) == 0);
    close(file);
    if (child)
        _exit(0);
    wait(0);
}
