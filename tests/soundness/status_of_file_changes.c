// steam: expect=assert
/* Others may write to a file before somebody asks how long it is. */
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int file = open("/tmp/steam-status", O_CREAT | O_RDWR | O_TRUNC, 0600);
    if (fork() == 0) {
        write(file, "abc", 3);
        _exit(0);
    }
    struct stat status;
    fstat(file, &status);
    wait(0);
    assert(status.st_size == 0); /* ERROR */
}
