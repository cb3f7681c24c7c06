// steam: expect=deadlock
/* A handler wants the lock that the very thread holds which it interrupts; nobody else uses it. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, signals;

static void handle(int number)
{
    (void)number;
    pthread_mutex_lock(&lock); /* ERROR */
    signals++;
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    pid_t parent = getpid();
    sigaction(SIGUSR1, &action, 0);
    pid_t child = fork();
    if (child == 0) {
        kill(parent, SIGUSR1);
        _exit(0);
    }
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
    waitpid(child, 0, 0);
}
