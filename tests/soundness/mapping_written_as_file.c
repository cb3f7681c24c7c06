// steam: expect=assert
/* Who writes a file may come between two reads of where it is mapped. */
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int file = open("/tmp/steam-mapped", O_CREAT | O_RDWR | O_TRUNC, 0600), value = 1;
    ftruncate(file, 4096);
    volatile int *word = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (fork() == 0) {
        pwrite(file, &value, 4, 0);
        _exit(0);
    }
    int first = *word, second = *word;
    wait(0);
    assert(first == second); /* ERROR */
}
