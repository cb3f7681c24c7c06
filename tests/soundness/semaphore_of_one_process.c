// steam: expect=not-process-shared
/* The second argument of sem_init says whether several processes may use it. */
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    sem_t *semaphore = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(semaphore, 0, 0);
    if (fork() == 0) {
        sem_post(semaphore); /* ERROR */
        _exit(0);
    }
    sem_wait(semaphore);
    wait(0);
}
