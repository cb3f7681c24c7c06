// steam: expect=none
/* Locks of fcntl keep processes apart that share a descriptor; other bytes are another lock. */
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int *count = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int file = open("/tmp/steam-lock", O_CREAT | O_RDWR, 0600);
    struct flock own = {.l_type = F_WRLCK, .l_start = 8, .l_len = 2};
    assert(fcntl(file, F_SETLKW, &own) == 0);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            struct flock asked = {.l_type = F_RDLCK, .l_start = 8};
            assert(fcntl(file, F_GETLK, &asked) == 0);
            assert(asked.l_type == F_WRLCK && asked.l_start == 8 && asked.l_pid == getppid());
            assert(lockf(file, F_LOCK, 8) == 0);
            ++*count;
            _exit(0);
        }
    while (wait(0) > 0)
        ;
    assert(*count == 2);
}
