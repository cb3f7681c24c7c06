// steam: expect=assert
/* Others may make a file after somebody has looked for it. */
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    if (fork() == 0) {
        close(open("/tmp/steam-to-come", O_CREAT | O_WRONLY, 0600));
        _exit(0);
    }
    struct stat status;
    int found = stat("/tmp/steam-to-come", &status);
    wait(0);
    assert(found == 0); /* ERROR */
}
