// steam: expect=none
/* A file that grows gives its new pages to those who have mapped it, up to the end of the last one. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int file = open("/tmp/steam-grows", O_CREAT | O_RDWR | O_TRUNC, 0600);
    volatile char *mapped = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (fork() == 0) {
        ftruncate(file, 100);
        _exit(0);
    }
    wait(0);
    mapped[50] = 1;
    mapped[4095] = 1;
    pwrite(file, "x", 1, 4096);
    return mapped[8191];
}
