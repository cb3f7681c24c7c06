// steam: expect=none
/* flock keeps two processes apart, each with a description of its own. */
#include <assert.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int *count = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            int file = open("/tmp/steam-lock", O_CREAT | O_RDWR, 0600);
            flock(file, LOCK_EX);
            ++*count;
            flock(file, LOCK_UN);
            _exit(0);
        }
    while (wait(0) > 0)
        ;
    assert(*count == 2);
}
