// steam: expect=deadlock
/* Two processes take two locks in different orders. */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int child = fork() == 0;
    int one = open("/tmp/steam-one", O_CREAT | O_RDWR, 0600);
    int other = open("/tmp/steam-other", O_CREAT | O_RDWR, 0600);
    flock(child ? one : other, LOCK_EX);
    flock(child ? other : one, LOCK_EX); /* ERROR */
    if (child)
        _exit(0);
    close(one);
    close(other);
    wait(0);
}
