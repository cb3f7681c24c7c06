// race: shared memory 12 12
/* Two processes count in shared memory without a lock. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int protection = PROT_READ | PROT_WRITE;
    int *counter = mmap(NULL, 4096, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    *counter += 1;
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return *counter == 0;
}
