// steam: error=bus-error
/* The last page of a file can be used up to its end; the next one cannot. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int file = open("/tmp/steam-behind", O_CREAT | O_RDWR | O_TRUNC, 0600);
    ftruncate(file, 100);
    volatile char *mapped = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    mapped[50] = 1;
    mapped[4095] = 1;
    mapped[4096] = 1; /* ERROR */
    return 0;
}
