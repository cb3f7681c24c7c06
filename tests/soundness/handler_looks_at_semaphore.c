// steam: expect=assert
/* A handler looks at a semaphore between two operations of its thread on it. */
#include <assert.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t semaphore;

static void handle(int number)
{
    (void)number;
    int value;
    sem_getvalue(&semaphore, &value);
    assert(value == 1); /* ERROR */
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    pid_t parent = getpid();
    sem_init(&semaphore, 0, 1);
    sigaction(SIGUSR1, &action, 0);
    pid_t child = fork();
    if (child == 0) {
        kill(parent, SIGUSR1);
        _exit(0);
    }
    sem_wait(&semaphore);
    sem_post(&semaphore);
    waitpid(child, 0, 0);
}
