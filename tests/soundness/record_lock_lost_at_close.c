// steam: expect=assert
/* Closing any descriptor of a file gives up all locks of the process there. */
#include <assert.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int file = open("/tmp/steam-lock", O_CREAT | O_RDWR, 0600);
    struct flock lock = {.l_type = F_WRLCK};
    assert(fcntl(file, F_SETLK, &lock) == 0);
    if (fork() == 0) {
        assert(fcntl(file, F_SETLK, &lock) < 0); /* ERROR */
        _exit(0);
    }
    close(open("/tmp/steam-lock", O_RDONLY));
    wait(0);
}
