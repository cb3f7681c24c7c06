// steam: expect=assert
/* A handler ends a wait at a semaphore; what it leaves in errno is not what the wait leaves there. */
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void handle(int number)
{
    (void)number;
    errno = ENOENT;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    pid_t parent = getpid();
    sem_t *semaphore = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(semaphore, 1, 0);
    sigaction(SIGUSR1, &action, 0);
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        sem_post(semaphore);
        _exit(0);
    }
    int result = sem_wait(semaphore);
    if (result != 0 && errno != EINTR)
        for (;;)
            ;
    assert(result == 0); /* ERROR */
    while (wait(0) < 0)
        ;
}
