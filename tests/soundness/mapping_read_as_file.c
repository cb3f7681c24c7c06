// steam: expect=assert
/* Who reads a file may see each value that others write where it is mapped. */
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int file = open("/tmp/steam-mapped", O_CREAT | O_RDWR | O_TRUNC, 0600), value;
    ftruncate(file, 4096);
    if (fork() == 0) {
        volatile int *word = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        *word = 1;
        *word = 2;
        _exit(0);
    }
    pread(file, &value, 4, 0);
    wait(0);
    assert(value != 1); /* ERROR */
}
