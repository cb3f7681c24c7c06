// steam: expect=bus-error
/* Who maps shared memory before its creator has given it a size must not touch it. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    shm_unlink("/steam-size");
    if (fork() == 0) {
        int created = shm_open("/steam-size", O_CREAT | O_RDWR, 0600);
        ftruncate(created, 4096);
        _exit(0);
    }
    int found = shm_open("/steam-size", O_RDWR, 0600);
    if (found >= 0) {
        volatile int *word = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, found, 0);
        *word = 1; /* ERROR */
    }
    wait(0);
    return 0;
}
