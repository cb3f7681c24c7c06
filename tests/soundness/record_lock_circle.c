// steam: expect=none
/* Linux does not let two processes wait for each other's locks of fcntl: the second one is told. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int file = open("/tmp/steam-lock", O_CREAT | O_RDWR, 0600);
    int child = fork() == 0;
    struct flock first = {.l_type = F_WRLCK, .l_start = child, .l_len = 1};
    struct flock second = {.l_type = F_WRLCK, .l_start = !child, .l_len = 1};
    assert(fcntl(file, F_SETLKW, &first) == 0);
    assert(fcntl(file, F_SETLKW, &second) == 0 || errno == EDEADLK);
    if (child)
        _exit(0);
    close(file);
    wait(0);
}
