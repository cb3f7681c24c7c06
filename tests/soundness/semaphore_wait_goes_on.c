// steam: expect=none
/* A handler does not end a wait that is begun again, or that would have found the semaphore free. */
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
}

int main(void)
{
    struct sigaction once = {.sa_handler = handle};
    struct sigaction again = {.sa_handler = handle, .sa_flags = SA_RESTART};
    pid_t parent = getpid();
    sem_t free;
    sem_t *semaphore = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(semaphore, 1, 0);
    sem_init(&free, 0, 1);
    sigaction(SIGUSR1, &once, 0);
    pid_t child = fork();
    if (child == 0) {
        kill(parent, SIGUSR1);
        _exit(0);
    }
    assert(sem_wait(&free) == 0);
    while (waitpid(child, 0, 0) < 0)
        ;
    sigaction(SIGUSR1, &again, 0);
    child = fork();
    if (child == 0) {
        kill(parent, SIGUSR1);
        sem_post(semaphore);
        _exit(0);
    }
    assert(sem_wait(semaphore) == 0);
    waitpid(child, 0, 0);
}
