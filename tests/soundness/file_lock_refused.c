// steam: expect=assert
/* Who does not wait for a lock may find it taken, until the one who has it ends. */
#include <assert.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    if (fork() == 0) {
        flock(open("/tmp/steam-lock", O_CREAT | O_RDWR, 0600), LOCK_EX);
        _exit(0);
    }
    int file = open("/tmp/steam-lock", O_CREAT | O_RDWR, 0600);
    int refused = flock(file, LOCK_EX | LOCK_NB);
    close(file);
    wait(0);
    assert(refused == 0); /* ERROR */
}
