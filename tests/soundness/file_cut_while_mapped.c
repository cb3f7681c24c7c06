// steam: expect=bus-error
/* Who cuts a file takes its pages away from those who have mapped it. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int file = open("/tmp/steam-cut", O_CREAT | O_RDWR | O_TRUNC, 0600);
    ftruncate(file, 4096);
    volatile char *mapped = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (fork() == 0) {
        ftruncate(file, 0);
        _exit(0);
    }
    mapped[50] = 1; /* ERROR */
    wait(0);
    return 0;
}
